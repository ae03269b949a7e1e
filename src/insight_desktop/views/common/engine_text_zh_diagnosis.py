"""Sentences of the diagnosis with their Chinese; see `engine_text_zh`."""

from __future__ import annotations

JOB = {
    "Rank {rank} holds up {count} other rank(s) for {cost} per step.": "卡 {rank} 每个迭代拖慢其他 {count} 张卡 {cost}。",
    "Rank {rank} holds up {count} other rank(s) for {cost} per step. {why}": "卡 {rank} 每个迭代拖慢其他 {count} 张卡 {cost}。{why}",
    "It computes {time} longer than the ranks that wait for it.": "它的计算时间比等待它的卡长 {time}。",
    "It is idle {time} longer than the ranks that wait for it.": "它的空闲时间比等待它的卡长 {time}。",
    "It begins its work {time} later than the ranks that wait for it.": "它比等待它的卡晚 {time} 开始工作。",
    "It came last in {times} collective operator(s) of {all}; rank {waiter} waited {time} in {op} of {group}, step {step}.": (
        "在 {all} 个集合通信算子中有 {times} 个最后到达；迭代 {step} 中，卡 {waiter} 在 {group} 的 {op} 中等待了 {time}。"
    ),
    "Look for more work on this rank (longer sequences, more tokens or experts), or a slower device: compare its kernels with those of another rank.": (
        "检查该卡的工作量是否更多（更长的序列、更多的 token 或专家），或设备是否更慢：与其他卡对比算子。"
    ),
    "Its host is too slow: open its Timeline and look why the device is free there (dispatch, garbage collection, data loading, other programs on the host).": (
        "其主机太慢：打开该卡的时间线，查看设备空闲的原因（下发、垃圾回收、数据加载、主机上的其他程序）。"
    ),
    "Look at data loading and the first host operators of this rank.": "检查该卡的数据加载和最初的主机算子。",
    "Compare this rank with one that waits: kernels, data, clock frequency, other programs on its host.": (
        "将该卡与等待的卡对比：算子、数据、频率、主机上的其他程序。"
    ),
    "Communication that nothing is computed beside takes {cost} per step, {share} of it.": (
        "每个迭代中没有计算与之重叠的通信占 {cost}，即 {share}。"
    ),
    "Mean over {ranks} rank(s); most on rank {rank}: {value} per step. It holds the waiting for slow ranks.": (
        "{ranks} 张卡的平均值；最多的是卡 {rank}：每个迭代 {value}。其中包含对慢卡的等待。"
    ),
    "Mean over {ranks} rank(s); most on rank {rank}: {value} per step.": "{ranks} 张卡的平均值；最多的是卡 {rank}：每个迭代 {value}。",
    "Let communication run beside computing (overlapped gradient reduction, prefetch of parameters), use larger buckets, and mend slow ranks and links first.": (
        "让通信与计算重叠（梯度归约重叠、参数预取），增大 bucket，并先解决慢卡和慢链路。"
    ),
    "The devices are idle for {cost} per step, {share} of it.": "每个迭代中设备空闲 {cost}，即 {share}。",
    "The host does not submit work fast enough: open the Timeline of such a rank and look why it is free; try task queues, fewer small operators, binding to cores, no synchronisation inside the step.": (
        "主机下发任务不够快：打开这样的卡的时间线，查看空闲的原因；可尝试任务队列、减少小算子、绑核、避免迭代内同步。"
    ),
    "{cost} of each step pass before the device gets its first task.": "每个迭代在设备收到第一个任务之前经过 {cost}。",
    "Load and move the data of the next step while this one runs (more workers of the data loader, pinned memory, prefetch).": (
        "在当前迭代运行时加载并搬运下一个迭代的数据（增加数据加载进程、锁页内存、预取）。"
    ),
    "The pipeline is out of balance: stage {most} computes {longest} per step, stage {least} {shortest}.": (
        "流水线不均衡：阶段 {most} 每个迭代计算 {longest}，阶段 {least} 为 {shortest}。"
    ),
    "Every step lasts as long as its slowest stage, {cost} above the mean of {count} stage(s).": (
        "每个迭代的时长由最慢的阶段决定，比 {count} 个阶段的平均值多 {cost}。"
    ),
    "Move layers between the stages, remembering that the first and the last one also hold embedding and loss.": (
        "在阶段之间调整层数，注意首尾阶段还包含 embedding 和 loss。"
    ),
    "The link from rank {src} to rank {dst} ({transport}) reaches {speed} GB/s, {share} of what its peers reach.": (
        "卡 {src} 到卡 {dst} 的链路（{transport}）为 {speed} GB/s，是同类链路的 {share}。"
    ),
    "{count} link(s) of {all} are slow; the median of {transport} is {speed} GB/s.": (
        "{all} 条链路中有 {count} 条慢；{transport} 的中位数为 {speed} GB/s。"
    ),
    "Check the network ports and optical modules between these devices, and whether other traffic shares the path.": (
        "检查这些设备之间的网口和光模块，以及是否有其他流量共用该路径。"
    ),
    "{share} of the operators over {transport} move less than {size} MB at once.": (
        "{transport} 上 {share} 的算子单次传输少于 {size} MB。"
    ),
    "{small} of {count} operator(s); they take {cost} per step and rank.": "{count} 个算子中的 {small} 个；每张卡每个迭代占 {cost}。",
    "Enlarge batches or accumulate gradients, prefer ZeRO1 or ZeRO2 to ZeRO3, use fused optimizers and larger buckets.": (
        "增大 batch 或累积梯度，优先使用 ZeRO1 或 ZeRO2 而不是 ZeRO3，使用融合优化器和更大的 bucket。"
    ),
    "{count} operator(s) took more than 4 s on every rank and on the network: packets were sent again.": (
        "{count} 个算子在所有卡和网络上都超过 4 s：发生了重传。"
    ),
    "{op} of {group}, step {step}: {time}.": "{group} 的 {op}，迭代 {step}：{time}。",
    "Check the network: time-outs of RDMA, congestion, ports and cables.": "检查网络：RDMA 超时、拥塞、网口和线缆。",
    "{count} operator(s) run below {speed} GB/s beside matrix multiplications: they share the memory.": (
        "{count} 个算子与矩阵乘并行时低于 {speed} GB/s：它们争抢内存带宽。"
    ),
    "At full bandwidth they would be {cost} shorter per step and rank ({ranks} rank(s) looked at).": (
        "若带宽充足，每张卡每个迭代可缩短 {cost}（检查了 {ranks} 张卡）。"
    ),
    "Compare a run without this overlap; schedule large communication beside kernels that need less memory.": (
        "与不重叠的运行对比；把大的通信安排在占用内存带宽少的算子旁。"
    ),
    "{count} operator(s) copy sizes that are no multiple of 512 B.": "{count} 个算子拷贝的大小不是 512 B 的整数倍。",
    "{op} on rank {rank}: {size} B.": "卡 {rank} 上的 {op}：{size} B。",
    "Adapt the size of the data: pad the last dimension, or choose a hidden size that divides well.": (
        "调整数据大小：填充最后一维，或选择易整除的 hidden size。"
    ),
    "The clock of rank {rank} is {time} ahead of the others.": "卡 {rank} 的时钟比其他卡快 {time}。",
    "The clock of rank {rank} is {time} behind the others.": "卡 {rank} 的时钟比其他卡慢 {time}。",
    "{count} rank(s) of {all} are apart by more than {limit} µs; told by the ends of collective operators.": (
        "{all} 张卡中有 {count} 张相差超过 {limit} µs；由集合通信算子的结束时间得出。"
    ),
    "It costs nothing, but do not compare start times of these ranks; align the cards in the Timeline.": (
        "这不耗时，但不要比较这些卡的开始时间；请在时间线中对齐各卡。"
    ),
    "The figures are incomplete.": "数据不完整。",
    "{first} {count} further note(s).": "{first}另有 {count} 条提示。",
}

CARD = {
    "Card {card} has no overlap analysis that tells computing from idle time.": "卡 {card} 没有区分计算与空闲的重叠分析。",
    "It comes with traces and databases of a framework's profiler that hold device tasks.": (
        "框架采集工具的 trace 和数据库在包含设备任务时提供该数据。"
    ),
    "The device is idle for {cost} per step, {share} of it.": "每个迭代中设备空闲 {cost}，即 {share}。",
    "{count} gap(s); the longest lasts {time}.": "{count} 处空隙；最长 {time}。",
    "{count} gap(s); the longest lasts {time}. Mostly {a}: {x}.": "{count} 处空隙；最长 {time}。主要原因：{a}（{x}）。",
    "{count} gap(s); the longest lasts {time}. Mostly {a}: {x}; then {b}: {y}.": (
        "{count} 处空隙；最长 {time}。主要原因：{a}（{x}），其次：{b}（{y}）。"
    ),
    "{count} gap(s); the longest lasts {time}. Mostly {a}: {x}; then {b}: {y}; then {c}: {z}.": (
        "{count} 处空隙；最长 {time}。主要原因：{a}（{x}），其次：{b}（{y}）、{c}（{z}）。"
    ),
    "the host was still preparing the next task": "主机仍在准备下一个任务",
    "the host had nothing to submit": "主机没有任务可下发",
    "a submitted task had not begun": "已下发的任务尚未开始",
    "something waited for the device": "有操作在等待设备",
    "a copy was waited for": "等待拷贝",
    "Python collected garbage": "Python 垃圾回收",
    "another rank was waited for": "等待其他卡",
    "ranks communicated": "卡间通信",
    "nothing tells why": "原因未知",
    "Submit less and larger work (fused operators, graph mode), bind the process to cores, move host work out of the step.": (
        "减少下发次数并增大任务（融合算子、图模式），进程绑核，把主机工作移出迭代。"
    ),
    "Look what the host does in the gaps: data loading, logging, evaluation; prefetch and overlap it.": (
        "查看主机在空隙中做什么：数据加载、日志、评估；进行预取和重叠。"
    ),
    "Enable the task queue, avoid compilation while running (jit_compile=False), use fewer small operators.": (
        "启用任务队列，避免运行时编译（jit_compile=False），减少小算子。"
    ),
    "Avoid item(), nonzero and printing of tensors inside the step; they wait for the device.": (
        "避免在迭代内使用 item()、nonzero 和打印张量；它们会等待设备。"
    ),
    "Use pinned memory and non-blocking copies, and copy the next batch while this one is computed.": (
        "使用锁页内存和非阻塞拷贝，并在计算当前批次时拷贝下一批次。"
    ),
    "Call gc.freeze() after the set-up, or collect garbage between steps only.": (
        "初始化后调用 gc.freeze()，或只在迭代之间做垃圾回收。"
    ),
    "Look at that rank: it comes later to the collective operators.": "查看该卡：它较晚到达集合通信算子。",
    "Overlap communication with computing.": "让通信与计算重叠。",
    "Look at the gaps in the Timeline.": "请在时间线中查看空隙。",
    "The longest piece lasts {time}.": "最长的一段为 {time}。",
    "Let communication run beside computing, use larger buckets; with several ranks look first whether this one only waits.": (
        "让通信与计算重叠，增大 bucket；有多张卡时先看该卡是否只是在等待。"
    ),
    "{type} takes {share} of the computing time: {cost} per step.": "{type} 占计算时间的 {share}：每个迭代 {cost}。",
    "{calls} kernel(s) in {steps} step(s), of {types} types.": "{steps} 个迭代中有 {calls} 个算子，共 {types} 种类型。",
    "Check its shapes and formats: sizes that divide by 16 or 32, no transposes before it, fused variants.": (
        "检查其形状和格式：大小能被 16 或 32 整除、前面没有转置、使用融合算子。"
    ),
    "{count} kernel(s) took far longer than others of the same type and shape: {cost} per step in all.": (
        "{count} 个算子远长于同类型同形状的其他算子：每个迭代共 {cost}。"
    ),
    "{name} took {time} µs, {factor} times the median of {median} µs.": "{name} 耗时 {time} µs，是中位数 {median} µs 的 {factor} 倍。",
    "Look what ran beside them: communication that shares the memory, a lowered clock frequency, the first call.": (
        "查看同时运行的内容：争抢内存带宽的通信、降频、首次调用。"
    ),
    "{count} operator(s) run on AICPU: {cost} per step.": "{count} 个算子在 AICPU 上运行：每个迭代 {cost}。",
    "The longest is {name} with {time}.": "最长的是 {name}，耗时 {time}。",
    "Use data types and operators that AI Core supports.": "请使用 AI Core 支持的数据类型和算子。",
    "Operators are compiled while they run, {count} time(s): {cost} of host time per step.": (
        "算子在运行时编译 {count} 次：每个迭代占主机时间 {cost}。"
    ),
    "The longest took {time}.": "最长一次为 {time}。",
    "{count} sequence(s) of kernels could be a fused operator: {cost} per step now.": (
        "{count} 段算子序列可以换成融合算子：目前每个迭代 {cost}。"
    ),
    "{count} sequence(s) of calls could be a fused operator: {cost} per step now.": (
        "{count} 段调用序列可以换成融合算子：目前每个迭代 {cost}。"
    ),
    "{count} sequence(s) of optimizer steps could be a fused operator: {cost} per step now.": (
        "{count} 段优化器步骤可以换成融合算子：目前每个迭代 {cost}。"
    ),
    "For example {name}.": "例如 {name}。",
    "Use the fused variant.": "请使用融合版本。",
    "The clock of the AI cores dropped by {drop} %.": "AI Core 频率下降了 {drop} %。",
    "{count} row(s) of the frequency lane.": "频率泳道的 {count} 行。",
    "Check power and cooling of the device.": "检查设备的供电和散热。",
}

SENTENCES: dict[str, str] = {**JOB, **CARD}
