"""Sentences of the engine for the pages of a job with many ranks with their Chinese; see `engine_text_zh`."""

from __future__ import annotations

from insight_desktop.views.common import engine_text_zh_diagnosis

ANALYSIS = {
    "None of the open cards has data of a cluster.": "打开的卡都没有集群数据。",
    "Collect at profiler_level Level1 or above on several ranks, and open the folder above them.": (
        "在多张卡上以 Level1 或更高的 profiler_level 采集，然后打开它们的上级文件夹。"
    ),
    "There is no cluster {name}.": "没有集群 {name}。",
    "Clusters: {names}.": "集群：{names}。",
    "{name} lacks {missing}; the figures were computed from the {count} ranks instead.": (
        "{name} 缺少 {missing}；数据改由 {count} 张卡重新计算。"
    ),
    "{name} lacks {missing}.": "{name} 缺少 {missing}。",
    "Rank {rank} has neither step times nor communication data; it is left out.": (
        "卡 {rank} 既没有迭代时间也没有通信数据，已跳过。"
    ),
    "Collect it at profiler_level Level1 or above, and analyse it.": "请以 Level1 或更高的 profiler_level 采集并解析。",
    "The analysis of the cluster cannot be kept in {root} ({why}).": "集群分析结果无法保存到 {root}（{why}）。",
    "Free some space on the disk of the cache, or choose another folder for it.": "请清理缓存所在磁盘的空间，或为缓存选择其他文件夹。",
    "Rank {rank} is there twice: {used} is used, {other} left out.": "卡 {rank} 出现两次：使用 {used}，跳过 {other}。",
    "{gone} of {all} ranks were not collected: {ranks}. Groups keep them, without figures.": (
        "{all} 张卡中有 {gone} 张未采集：{ranks}。通信域中保留这些卡，但没有数据。"
    ),
    "Add their folders to the project if they were collected.": "如果已经采集，请把它们的文件夹加入项目。",
    "Rank(s) {ranks}: step times of step {own}, the other ranks have step {usual}.": (
        "卡 {ranks}：迭代时间属于迭代 {own}，其他卡为迭代 {usual}。"
    ),
    "Rank(s) {ranks}: communication of step {own}, the other ranks have step {usual}.": (
        "卡 {ranks}：通信数据属于迭代 {own}，其他卡为迭代 {usual}。"
    ),
    "Collect the same steps on all ranks; figures of one step leave these ranks out.": (
        "请在所有卡上采集相同的迭代；单个迭代的数据不包含这些卡。"
    ),
    "Step times": "迭代时间",
    "Groups": "通信域",
    "Links": "链路",
    "Waits": "等待",
    "Communication of rank {rank}": "卡 {rank} 的通信",
    "Communication of ranks {first} to {last}": "卡 {first} 至 {last} 的通信",
    "Communication of the ranks": "各卡的通信",
    "Sums of times": "时间汇总",
    "Sums of bandwidths": "带宽汇总",
    "Sums of packets": "通信包汇总",
    "The analysis of the cluster was stopped.": "集群分析已停止。",
    "Open the page again to start it.": "重新打开页面即可开始。",
    "A process that read ranks of the cluster ended unexpectedly; the machine may be out of memory.": (
        "读取集群数据的进程意外结束，可能内存不足。"
    ),
    "Close other programs and open the page again.": "请关闭其他程序后重新打开页面。",
    "The analysis of the cluster failed ({why}).": "集群分析失败（{why}）。",
    "{count} members of groups are claimed by several ranks; the first rank was taken.": (
        "{count} 个通信域成员被多张卡声明，取第一张卡。"
    ),
    "{count} links were left out: the rank at one end is not known.": "跳过 {count} 条链路：其中一端的卡未知。",
    "Open the data of all ranks, with their profiler_metadata.json.": "请打开所有卡的数据，并包含 profiler_metadata.json。",
    "Rank {rank} is incomplete: {why}": "卡 {rank} 不完整：{why}",
    "{name} is damaged: {why}.": "{name} 已损坏：{why}。",
    "Times of rank {rank} are missing, no numbers or below zero (operators: {count}); they count as nothing.": (
        "卡 {rank} 有 {count} 个算子的时间缺失、不是数字或为负，这些值不计入。"
    ),
    "Times of rank {rank} are missing, no numbers or below zero (steps: {count}); they count as nothing.": (
        "卡 {rank} 有 {count} 个迭代的时间缺失、不是数字或为负，这些值不计入。"
    ),
    "All step times of this job are zero.": "该任务的所有迭代时间均为零。",
    "Collect again with a schedule of steps on all ranks.": "请在所有卡上设置迭代计划后重新采集。",
    "Rank {rank} is no number of a rank; it is left out.": "卡 {rank} 不是卡序号，已略过。",
    "Check the name of its profiler_info file.": "请检查其 profiler_info 文件的名称。",
    "{count} rows of {name} have another number of cells than its head; they were left out.": (
        "{name} 有 {count} 行的列数与表头不同，已跳过。"
    ),
    "Rows of {name} without a rank were left out.": "{name} 中没有卡号的行已跳过。",
    "{name} cannot be used ({why}).": "{name} 无法使用（{why}）。",
    "Delete the folder, so that the figures are computed from the ranks.": "请删除该文件夹，数据将由各卡重新计算。",
}

COMMUNICATION = {
    "Group {group} has no operators in step {step}.": "通信域 {group} 在迭代 {step} 中没有算子。",
    "Choose another step or group.": "请选择其他迭代或通信域。",
    "Ranks of {group} are not compared: they do different things.": "{group} 的各卡执行不同的操作，不做比较。",
    "Choose a collective group.": "请选择集合通信域。",
    "There is no communication group {group}.": "没有通信域 {group}。",
    "The job has no communication groups.": "该任务没有通信域。",
    "The ranks have no communication data.": "各卡没有通信数据。",
    "Collect at profiler_level Level1 or above on more than one card.": "请在多张卡上以 Level1 或更高的 profiler_level 采集。",
    "Card {card} has no slice {slice}.": "卡 {card} 没有切片 {slice}。",
    "Ids come from the queries of the Timeline.": "编号来自时间线的查询。",
    "Card {card} has no rank number.": "卡 {card} 没有卡号。",
    "Open the folders of the ranks as the profiler wrote them.": "请按采集工具写出的原样打开各卡的文件夹。",
    "The communication data of rank {rank} have no operator {name}.": "卡 {rank} 的通信数据中没有算子 {name}。",
    "Only operators of communication groups are listed; look at the lanes named Group.": (
        "只列出通信域的算子；请查看名为 Group 的泳道。"
    ),
    "Operator {name} belongs to no group of the job.": "算子 {name} 不属于该任务的任何通信域。",
    "Choose a group on the Communication page.": "请在通信页面选择通信域。",
    "The Timeline of rank {rank} is not open.": "卡 {rank} 的时间线未打开。",
    "The Timeline of rank {rank} has no slice {name}.": "卡 {rank} 的时间线中没有切片 {name}。",
    "Read the card, or open profiling data that hold its timeline.": "请读取该卡，或打开包含其时间线的性能数据。",
    "No link between ranks has traffic.": "卡间链路没有流量。",
    "Collect at profiler_level Level1 or above.": "请以 Level1 或更高的 profiler_level 采集。",
}

SUMMARY = {
    "Rank {rank} is not open.": "卡 {rank} 未打开。",
    "Open its data beside the analysis of the job.": "请在集群分析旁打开该卡的数据。",
    "This view is not folded.": "该视图没有折叠维度。",
    "Ask overview, or choose another dimension.": "请使用概览，或选择其他维度。",
    "The communication groups of the data do not match the parallel strategy.": "数据中的通信域与并行策略不匹配。",
    "Check the sizes of the parallel dimensions; the data need groups named dp, cp or tp.": (
        "请检查并行维度的大小；数据中需要有名为 dp、cp 或 tp 的通信域。"
    ),
    "Rank {rank} has no overlap analysis.": "卡 {rank} 没有重叠分析。",
    "It comes with traces of framework profilers.": "框架采集工具的 trace 包含该数据。",
    "No open rank has passes of a pipeline.": "打开的卡都没有流水线的前反向。",
    "Read the cards of these ranks; they need framework operators.": "请读取这些卡；需要框架算子数据。",
    "PP · TP · CP · DP is {ranks}, fewer than the {devices} devices.": "PP · TP · CP · DP 为 {ranks}，少于设备数 {devices}。",
    "Enlarge one of the sizes.": "请增大其中一个维度。",
    "There is no algorithm {name}.": "没有算法 {name}。",
    "PP · TP · CP · DP is {ranks}.": "PP · TP · CP · DP 为 {ranks}。",
    "Keep it at {most} or less.": "请保持在 {most} 以内。",
    "EP size {size} does not fit: {rule}.": "EP 大小 {size} 不合适：{rule}。",
    "DP must be a multiple of EP": "DP 必须是 EP 的整数倍",
    "DP · CP must be a multiple of EP": "DP · CP 必须是 EP 的整数倍",
    "MoE-TP · EP must be TP · DP, and CP 1": "MoE-TP · EP 必须等于 TP · DP，且 CP 为 1",
    "EP must be 1, or a multiple of TP that divides DP · TP": "EP 必须为 1，或为 TP 的整数倍且能整除 DP · TP",
    "Change the sizes.": "请修改大小。",
    "There is no CP algorithm {name}.": "没有 CP 算法 {name}。",
    "A size of MindSpeed's extra dimensions is below 1.": "MindSpeed 附加维度的大小小于 1。",
    "Use 1 or more.": "请使用 1 或更大的值。",
    "PP size is {size}.": "PP 大小为 {size}。",
    "TP size is {size}.": "TP 大小为 {size}。",
    "CP size is {size}.": "CP 大小为 {size}。",
    "DP size is {size}.": "DP 大小为 {size}。",
    "EP size is {size}.": "EP 大小为 {size}。",
    "MOE_TP size is {size}.": "MoE-TP 大小为 {size}。",
    "Use 1 to {most}.": "请使用 1 至 {most}。",
    "The sizes do not divide: {rule}.": "大小不能整除：{rule}。",
    "TP by nd1 dim1 and nd2 dim1": "TP 除以 nd1 dim1 和 nd2 dim1",
    "CP by the ulysses degree": "CP 除以 ulysses 度",
    "CP by ulysses degree · window": "CP 除以 ulysses 度 · 窗口",
    "CP by the window": "CP 除以窗口",
    "There is no column {name} to order by.": "没有可排序的列 {name}。",
    "Use 1 or more, or leave it out.": "请使用 1 或更大的值，或不指定。",
    "{text} is no list of ranks.": "{text} 不是卡号列表。",
    "Write it as (0, 1).": "请写成 (0, 1)。",
    "No rank has step times.": "没有卡包含迭代时间。",
    "No rank has step times in step {step}.": "迭代 {step} 中没有卡包含迭代时间。",
    "Collect with a schedule, or choose another step.": "请设置 schedule 采集，或选择其他迭代。",
    "Collect with a schedule of steps on all ranks.": "请在所有卡上设置 schedule 采集迭代。",
    "No rank has {metric} by step.": "没有卡按迭代记录 {metric}。",
    "Collect at profiler_level Level1 or above on several ranks.": "请在多张卡上以 Level1 或更高的 profiler_level 采集。",
    "No collective operator is known on two ranks or more.": "没有在两张及以上的卡上出现的集合通信算子。",
    "Collect at profiler_level Level1 or above on all ranks of a group.": (
        "请在通信域的所有卡上以 Level1 或更高的 profiler_level 采集。"
    ),
    "The backward passes do not fit a schedule of {count} micro batches.": "反向过程不符合 {count} 个微批次的调度。",
    "Choose one step of the pipeline.": "请选择流水线的一个迭代。",
}

EXPERTS = {
    "{folder} is not there any more.": "{folder} 已不存在。",
    "No parsable files of the stage {stage} were found.": "没有找到阶段 {stage} 的可解析文件。",
    "{name} is missing beside the {stage} files.": "{stage} 文件旁缺少 {name}。",
    "Choose the folder with prefill_<rank>.csv or decode_<rank>.csv and model_gen_config.json, or with *_global_deployment.json.": (
        "请选择包含 prefill_<rank>.csv 或 decode_<rank>.csv 与 model_gen_config.json，或包含 *_global_deployment.json 的文件夹。"
    ),
    "{name} does not tell the number of MoE layers.": "{name} 没有 MoE 层数。",
    "The {stage} files do not belong together: {layers} layers on {ranks} ranks were counted, {placed} layers on {devices} devices are deployed.": (
        "{stage} 文件不一致：统计为 {ranks} 张卡 {layers} 层，部署为 {devices} 个设备 {placed} 层。"
    ),
    "Put files of one run into a folder of their own.": "请把一次运行的文件放入单独的文件夹。",
    "{folder} holds more than {count} files.": "{folder} 中的文件超过 {count} 个。",
    "Choose a folder closer to the data.": "请选择更靠近数据的文件夹。",
    "{name} was left out: {why}.": "已跳过 {name}：{why}。",
    "The rows of {name} have different numbers of experts.": "{name} 各行的专家数不同。",
    "{name} has no list of layers and devices.": "{name} 没有层和设备的列表。",
    "Expert Num is {count} in the data and cannot be {given}.": "数据中的专家数为 {count}，不能改为 {given}。",
    "The list of dense layers does not fit the number of layers.": "非 MoE 层列表与层数不符。",
    "Shorten the list.": "请缩短列表。",
    "The model has {moe} MoE layers and {dense} dense ones; {layers} layers are too few.": (
        "模型有 {moe} 个 MoE 层和 {dense} 个非 MoE 层；{layers} 层太少。"
    ),
    "Use {count} layers or more.": "请使用 {count} 层或更多。",
    "No open rank ran layers of the stage {stage} with experts.": "打开的卡都没有执行阶段 {stage} 的专家层。",
    "Read the cards of an inference run, or import a dump of the expert hotspots.": "请读取推理任务的卡，或导入专家热点数据。",
    "No expert data were imported.": "没有导入专家数据。",
    "Import a folder with the dump of the expert hotspots.": "请导入包含专家热点数据的文件夹。",
    "Model Layer Num is {count}.": "模型层数为 {count}。",
    "Expert Num is {count}.": "专家数为 {count}。",
    "{text} is no list of layers.": "{text} 不是层列表。",
    "Write it as 0,1,2 or 0-2.": "请写成 0,1,2 或 0-2。",
}

SENTENCES: dict[str, str] = {
    **ANALYSIS, **COMMUNICATION, **SUMMARY, **EXPERTS, **engine_text_zh_diagnosis.SENTENCES,
}  # fmt: skip
