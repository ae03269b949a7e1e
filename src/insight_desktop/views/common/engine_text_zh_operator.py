"""Sentences of the engine for the area Operator with their Chinese; see `engine_text_zh`."""

from __future__ import annotations

_AGAIN = "从采集的机器上重新拷贝该文件。"
_COLLECT_AGAIN = "重新采集该算子，或重新拷贝该文件；其他页面完整。"

CONTAINER = {
    "{name} is not an operator file: {why}.": "{name} 不是算子文件：{why}。",
    "it has {n} bytes, fewer than the header of a block": "只有 {n} 字节，少于一个块头",
    "its first block has the size 0": "第一个块的大小为 0",
    "the padding of its first block ({a}) is larger than the block ({b} bytes)": "第一个块的填充（{a}）大于块本身（{b} 字节）",
    "bytes 10 and 11 are {a}, the magic of operator data is 5A 5A": "第 10、11 字节是 {a}，而算子数据的标志是 5A 5A",
    "Open the visualize_data.bin that msprof op or msopprof wrote.": "请打开 msprof op 或 msopprof 写出的 visualize_data.bin。",
    "{name}: {where} claims {a} bytes, the file has {b}. {n} blocks before it are whole, but what follows cannot be told apart.": (
        "{name}：{where} 声称有 {a} 字节，而文件只有 {b} 字节。它之前的 {n} 个块完整，之后的内容无法区分。"
    ),
    "Copy the file again from where it was collected.": _AGAIN,
    "{name}: {where} was left out because {why}; what it feeds is empty, everything else works.": (
        "{name}：{where} 已跳过，因为{why}；用到它的部分为空，其余正常。"
    ),
    "its padding ({a}) is larger than its content ({b} bytes)": "填充（{a}）大于内容（{b} 字节）",
    "it is empty": "它是空的",
    "{name} ends inside {where}: {n} bytes of it are there. The blocks before it are whole.": (
        "{name} 在 {where} 中间结束：其中 {n} 字节可用，之前的块完整。"
    ),
    "{name} has {n} bytes behind its last block; they were ignored.": "{name} 的最后一个块之后还有 {n} 字节，已忽略。",
    "{name} has blocks of the types {kinds}, which are not known; they were left out.": (
        "{name} 含有未知类型 {kinds} 的块，已跳过。"
    ),
    "{name} holds no usable block: {where} is unusable because {why}.": "{name} 没有可用的块：{where} 不可用，因为{why}。",
    "{name}: {where} could not be parsed: {why}. What it feeds is empty, everything else works.": (
        "{name}：{where} 无法解析：{why}。用到它的部分为空，其余正常。"
    ),
    "Collect the kernel again, or copy the file again; the other pages are whole.": _COLLECT_AGAIN,
    "its JSON breaks at byte {n} of the block ({why})": "JSON 在块内第 {n} 字节处损坏（{why}）",
    "its JSON is nested too deep": "JSON 嵌套过深",
    "its JSON is no object": "JSON 不是对象",
    "{name}: records of {where} that cannot be read were left out.": "{name}：{where} 中无法读取的记录已跳过。",
    "{name} has more than 1,000,000 instructions; the first 1,000,000 are kept.": (
        "{name} 的指令超过 1,000,000 条，只保留前 1,000,000 条。"
    ),
    "Begins or ends of SET and WAIT without their counterpart are not drawn.": "没有配对的 SET、WAIT 起止事件不绘制。",
    "Begin and end events (ph B, E) of other names than SET and WAIT are not shown.": "SET 与 WAIT 以外的起止事件（ph B、E）不显示。",
    "The trace of {name} has {size} MiB; it is read when the Timeline is opened.": (
        "{name} 的时间线有 {size} MiB，打开时间线页时才会读取。"
    ),
    "Slices without a pid or tid were left out.": "没有 pid 或 tid 的切片已跳过。",
    "{name}: the data block could not be parsed ({why}).": "{name}：数据块无法解析（{why}）。",
    "{name} holds no {what}.": "{name} 没有{what}。",
    "base info": "基本信息",
    "core load": "核间负载数据",
    "compute load": "计算负载数据",
    "memory workload": "内存负载数据",
    "memory tables": "内存表",
    "warp stall reasons": "Warp 停顿原因",
    "figures of source lines": "源码行数据",
    "instructions": "指令数据",
    "cache records": "缓存记录",
    "source text": "源码",
    "Collect with msprof op --aic-metrics=Default (Occupancy and Roofline are switched on by name).": (
        "请用 msprof op --aic-metrics=Default 采集（Occupancy 与 Roofline 需按名称打开）。"
    ),
    "Open the visualize_data.bin of msprof op; the simulator's has none.": "请打开 msprof op 的 visualize_data.bin；仿真器的没有这些数据。",
    "They are collected for SIMT kernels only.": "只有 SIMT 算子才会采集。",
    "Collect with --aic-metrics=SourceCounters (or with the simulator).": "请用 --aic-metrics=SourceCounters 采集（或使用仿真器）。",
    "Compile the kernel with -g and collect with --aic-metrics=SourceCounters (or with the simulator).": (
        "请用 -g 编译算子，并用 --aic-metrics=SourceCounters 采集（或使用仿真器）。"
    ),
    "Compile the kernel with -g and collect it again.": "请用 -g 编译算子后重新采集。",
    "Collect with msprof op --aic-metrics=L2Cache on a chip that offers it.": "请在支持的芯片上用 msprof op --aic-metrics=L2Cache 采集。",
    "Can't set oneself as baseline.": "不能把自己设为基线。",
    "Choose another kernel as baseline.": "请选择另一个算子作为基线。",
    "No profile of a kernel is open.": "没有打开的算子数据。",
    "Collect the kernel with msprof op (or its simulator) and open its visualize_data.bin.": (
        "请用 msprof op（或其仿真器）采集算子，并打开它的 visualize_data.bin。"
    ),
    "No memory plan of a kernel is open.": "没有打开的片上内存规划。",
    "Open the memory_info.json that the Triton compiler wrote.": "请打开 Triton 编译器写出的 memory_info.json。",
    "The text of {path} lies in {file}, which is not there any more.": "{path} 的源码在 {file} 中，而该文件已不存在。",
}  # fmt: skip

BOUNDS = {
    "Memory bound: {p} % of the roof of {name} is reached ({x} operations per byte, the roof turns at {t}).": (
        "访存瓶颈：达到 {name} 屋顶的 {p} %（每字节 {x} 次运算，拐点在 {t}）。"
    ),
    "Compute bound: {p} % of {name} is reached ({x} operations per byte, the roof turns at {t}).": (
        "计算瓶颈：达到 {name} 的 {p} %（每字节 {x} 次运算，拐点在 {t}）。"
    ),
    "Latency bound: no more than {p} % of a roof is reached, that of {name} ({x} operations per byte, the roof turns at {t}).": (
        "时延瓶颈：最多达到屋顶的 {p} %，即 {name}（每字节 {x} 次运算，拐点在 {t}）。"
    ),
    "Bound by one pipe; {pipe} is active for {p} % of the cycles. The roofline was not collected.": (
        "受单条流水限制：{pipe} 在 {p} % 的周期内活跃。没有采集 Roofline。"
    ),
    "Latency bound: no pipe works all the time; {pipe} is active for {p} % of the cycles. The roofline was not collected.": (
        "时延瓶颈：没有一条流水一直工作；{pipe} 在 {p} % 的周期内活跃。没有采集 Roofline。"
    ),
    "The busiest pipe is {pipe} ({table}): active for {p} % of the cycles, {other} for {q} %.": (
        "最忙的流水是 {pipe}（{table}）：{p} % 的周期内活跃，其次 {other} 为 {q} %。"
    ),
    "The busiest pipe is {pipe} ({table}): active for {p} % of the cycles.": "最忙的流水是 {pipe}（{table}）：{p} % 的周期内活跃。",
    "{pipe} ({table}) waits for {p} % of the cycles.": "{pipe}（{table}）在 {p} % 的周期内等待。",
    "{part} of core {core} takes {p} % more than the {kind} parts on average ({a} cycles, {b} on average).": (
        "核 {core} 的 {part} 比 {kind} 的平均值多用 {p} %（{a} 周期，平均 {b}）。"
    ),
    "The {kind} parts are balanced: the slowest, {part} of core {core}, takes {p} % more than the average ({a} cycles, {b} on average).": (
        "{kind} 负载均衡：最慢的核 {core} 的 {part} 比平均多 {p} %（{a} 周期，平均 {b}）。"
    ),
    "{name}: {a} of {b} vector instructions ({p} %) were blocked.": "{name}：{b} 条向量指令中有 {a} 条（{p} %）被阻塞。",
    "Warps wait most for {reason}: {a} of {b} samples ({p} %).": "Warp 等待最多的是 {reason}：{b} 个样本中的 {a} 个（{p} %）。",
    "{p} % of the L2 requests are hits ({a} of {b}).": "L2 请求命中 {p} %（{b} 次中的 {a} 次）。",
    "The current frequency is lower than the rated frequency": "当前频率低于额定频率",
}  # fmt: skip

COLLECTOR = {
    "{unit} {pipe} bandwidth utilization lower than 80% when active": "{unit} {pipe} 活跃时带宽利用率低于 80%",
    "{unit} compute usage lower than 20%": "{unit} 计算利用率低于 20%",
}

ON_CHIP = {
    "There is no memory {name}.": "没有内存 {name}。",
    "Memories: {names}.": "内存：{names}。",
    "Invalid range: start timestamp is greater than end time.": "范围无效：起点大于终点。",
    "Compile the kernel again with the memory plan switched on, or copy the file again.": "请打开内存规划后重新编译算子，或重新拷贝该文件。",
    "{name} is no valid JSON: {why}.": "{name} 不是有效的 JSON：{why}。",
    "{name}: {where} has no {member}.": "{name}：{where} 缺少 {member}。",
    "{name}: {member} in {where} is not {kind}.": "{name}：{where} 中的 {member} 不是{kind}。",
    "{name}: {where} is no object.": "{name}：{where} 不是对象。",
    "a whole number": "整数",
    "a text": "文本",
    "an array": "数组",
    "an object": "对象",
    "true or false": "布尔值",
}

SOURCES = {
    "Choose another file or folder.": "请选择其他文件或文件夹。",
    "Relink the data.": "请重新关联数据。",
    "Give the smaller line first.": "请先写较小的行号。",
}

SENTENCES: dict[str, str] = {**CONTAINER, **BOUNDS, **COLLECTOR, **ON_CHIP, **SOURCES}
