"""Sentences of the engine for the area Service with their Chinese; see `engine_text_zh`."""

from __future__ import annotations

_READING: dict[str, str] = {
    "{name} has {size} GiB; databases above 10 GiB are not read.": "{name} 大小为 {size} GiB；超过 10 GiB 的数据库不会读取。",
    "Collect a shorter run, or split it.": "请缩短采集时间，或拆分数据。",
    "{name} is an SQLite database, but it has none of the tables of a serving run (slice, request, batch). It has: {tables}.": (
        "{name} 是 SQLite 数据库，但没有服务化运行的任何表（slice、request、batch）。现有：{tables}。"
    ),
    "Open profiler.db, ms_service_parsed.db or an ms_service_*.db as the collector wrote it.": (
        "请打开采集器写出的 profiler.db、ms_service_parsed.db 或 ms_service_*.db。"
    ),
    "The database holds result tables only, no events: the timeline is empty.": "数据库只有结果表，没有事件：时间线为空。",
    "Slices without a start were left out.": "没有开始时间的切片已忽略。",
    "Slices that end before they start have no length.": "结束早于开始的切片长度记为零。",
    "Slices of lanes that the table thread does not name are shown on lanes of their own.": (
        "thread 表未命名的泳道，其切片显示在单独的泳道上。"
    ),
    "{name} cannot be read ({error}); the figures that it would show are derived from the events.": (
        "无法读取 {name}（{error}）；对应数据改由事件推导。"
    ),
    "{name} holds no result table of a serving run.": "{name} 不包含服务化运行的结果表。",
    "Export the data again, or open profiler.db or chrome_tracing.json.": (
        "请重新导出数据，或打开 profiler.db、chrome_tracing.json。"
    ),
    "{name} cannot be used: {error}.": "无法使用 {name}：{error}。",
    "Details of events that are no JSON were left out; the events are kept.": "不是 JSON 的事件详情已忽略，事件保留。",
    "Attributes of events that are no JSON were left out; the events are kept.": "不是 JSON 的事件属性已忽略，事件保留。",
    "Events whose times are beyond any clock were left out.": "时间超出任何时钟范围的事件已忽略。",
    "Process {pid} was seen on several hosts: the analyser knows processes by their number only, so their events are shown as one process.": (
        "进程 {pid} 出现在多台主机上：分析工具仅按进程号区分，因此其事件显示为同一个进程。"
    ),
    "Open the raw ms_service_*.db files to tell them apart.": "请打开原始 ms_service_*.db 文件加以区分。",
    "The capture lacks {table}.": "缓存中缺少 {table}。",
}
_ASKING: dict[str, str] = {
    "No serving run is open.": "未打开服务化运行。",
    "Open profiler.db, chrome_tracing.json or ms_service_*.db.": "请打开 profiler.db、chrome_tracing.json 或 ms_service_*.db。",
    "There is no request {rid}.": "没有请求 {rid}。",
    "Requests begin with: {names}.": "前几个请求：{names}。",
    "No request has a value of {metric}.": "没有请求具有 {metric} 的值。",
    "Choose another metric or a wider window.": "请选择其他指标或更宽的窗口。",
    "A percentile lies between 0 and 100, not at {value}.": "百分位应在 0 到 100 之间，而不是 {value}。",
    "No request arrived in the chosen time and ended.": "所选时间内没有到达并完成的请求。",
    "Choose a wider time.": "请选择更宽的时间。",
    "No event of this run names a request.": "该运行没有任何事件指明请求。",
    "Collect with the request events (httpReq, httpRes) switched on.": "采集时请打开请求事件（httpReq、httpRes）。",
    "All {count} requests began before the collection: none has an httpReq event.": (
        "全部 {count} 个请求在采集开始前已到达：没有 httpReq 事件。"
    ),
    "Start the collection before the load.": "请在施加负载前开始采集。",
    "None of the {count} requests ended within the collection (no httpRes, DecodeEnd or sendResponse).": (
        "{count} 个请求均未在采集期间完成（没有 httpRes、DecodeEnd 或 sendResponse）。"
    ),
    "Stop the collection after the load.": "请在负载结束后停止采集。",
    "A model of a step needs 8 steps with token counts; there are fewer.": "单步模型需要 8 个带 token 数的步，现有不足。",
    "A model of a step needs 8 executed steps with token counts; there are fewer.": (
        "单步模型需要 8 个已执行且带 token 数的步，现有不足。"
    ),
    "There are too few steps with token counts for a model.": "带 token 数的步太少，无法建立模型。",
    "Record a longer run.": "请采集更长的运行。",
    "Record a longer run, or use a collector that writes num_scheduled_tokens.": (
        "请采集更长的运行，或使用会写出 num_scheduled_tokens 的采集器。"
    ),
    "Throughput grows up to the largest batch size seen: a larger max batch size may give more.": (
        "吞吐在出现过的最大批大小处仍在增长：增大最大批大小可能进一步提升。"
    ),
    "Throughput is best at batch size {size}; larger batches gave less.": "批大小为 {size} 时吞吐最佳，更大的批反而下降。",
    "{rate} requests per second of execution at size {size} ({steps} steps); {count} sizes from {low} to {high} in {all} steps.": (
        "批大小 {size} 时每秒执行 {rate} 个请求（{steps} 步）；{all} 步中共出现 {count} 种批大小，从 {low} 到 {high}。"
    ),
    "No request tells how much of its prompt was cached.": "没有请求说明其提示词的缓存比例。",
    "Switch the collection of cache hits on.": "请打开缓存命中的采集。",
    "This run has no events between prefill and decode nodes.": "该运行没有 Prefill 与 Decode 节点之间的事件。",
    "Collect both nodes of a run with prefill-decode separation.": "请在 PD 分离运行中同时采集两类节点。",
    "This run has no data of a coordinator.": "该运行没有协调器数据。",
    "Collect the coordinator, or open coordinator.csv.": "请采集协调器，或打开 coordinator.csv。",
    "This run has no speculative decoding.": "该运行没有投机解码。",
    "Collect a run with a draft model; the batches then list num_spec_output_tokens.": (
        "请采集带草稿模型的运行，批次会列出 num_spec_output_tokens。"
    ),
    "This run has no table {table}.": "该运行没有表 {table}。",
    "Collect a mixture of experts with kernels, and open its db or csv.": "请采集带算子的 MoE 运行，并打开其 db 或 csv。",
    "{name} cannot be read: {error}.": "无法读取 {name}：{error}。",
    "Use the derived curve or table in its place.": "请改用推导的曲线或表格。",
    "Request {rid} has no recorded row.": "请求 {rid} 没有记录行。",
    "Its figures from the events are on the Overview page.": "由事件推导的数据见总览页。",
    "Page size invalid!": "每页行数无效！",
    "Current page invalid!": "页码无效！",
}
_CAUSES: dict[str, str] = {
    "before it entered the queue": "进入队列之前",
    "waited behind {count} requests": "在 {count} 个请求之后等待",
    "waited for the next batch": "等待下一批次",
    "{count} tokens of its own": "自身 {count} 个 token",
    "its own": "自身",
    "share of other requests in the batches of its prefill": "其 Prefill 批次中其他请求的份额",
    "between the batches of its prefill": "其 Prefill 批次之间",
    "cache blocks pulled from the prefill node": "从 Prefill 节点拉取缓存块",
    "{count} times, {tokens} tokens computed again": "{count} 次，重算 {tokens} 个 token",
    "{count} tokens came from batches with prefill": "{count} 个 token 来自含 Prefill 的批次",
    "its own tokens": "自身的 token",
    "after the last token": "最后一个 token 之后",
}
_CURVES: dict[str, str] = {
    "There is no curve {name}.": "没有曲线 {name}。",
    "There is no table {name}.": "没有表格 {name}。",
    "There are: {names}.": "现有：{names}。",
    "There is no slice {number}.": "没有切片 {number}。",
    "Select a slice of the Timeline.": "请在时间线中选择一个切片。",
    "There is no row {row}.": "没有第 {row} 行。",
    "The curve has {count} rows, counted from 0.": "该曲线有 {count} 行，从 0 开始计数。",
    "This row has no time.": "该行没有时间。",
    "Its x is neither a time nor the number of a batch.": "其 x 既不是时间，也不是 batch 编号。",
    "Generate it again from a slice of the Timeline.": "请从时间线的切片重新生成。",
}
SENTENCES: dict[str, str] = {**_READING, **_ASKING, **_CAUSES, **_CURVES}
