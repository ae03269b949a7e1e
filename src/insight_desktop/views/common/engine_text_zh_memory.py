"""Sentences of the engine for the area Memory with their Chinese; see `engine_text_zh`."""

from __future__ import annotations

MEMSCOPE: dict[str, str] = {
    "{name} has no event table (memscope_dump or leaks_dump).": "{name} 没有事件表（memscope_dump 或 leaks_dump）。",
    "Open the database that MemScope wrote below dump/.": "请打开 MemScope 写在 dump/ 下的数据库。",
    "{name} cannot be used: it has no column {columns}. Its columns are: {there}.": (
        "无法使用 {name}：缺少列 {columns}。现有列为：{there}。"
    ),
    "Collect the data again, or copy the file again from where it was recorded.": "请重新采集数据，或从采集机器重新拷贝该文件。",
    "No row of {name} has a valid time.": "{name} 中没有一行的时间有效。",
    "Collect the data again, or open another dump.": "请重新采集数据，或打开其他转储文件。",
    "{name} has no allocation events; its charts stay empty.": "{name} 没有内存申请事件，图表为空。",
    "Collect with the events alloc and free.": "采集时请打开 alloc 和 free 事件。",
    "{name} is larger than 2 GB; reading it takes a while.": "{name} 大于 2 GB，读取需要一些时间。",
    "{name} is damaged ({error}); the {rows} rows before are kept.": "{name} 已损坏（{error}），保留之前的 {rows} 行。",
    "{text!r} is no way to pair rows.": "{text!r} 不是行的配对方式。",
    "Write before-tracing, implicit-free, or both with a comma between.": "请写成 before-tracing、implicit-free，或用逗号连接两者。",
    "FREE rows without a MALLOC before count as ends of blocks from before tracing, as you chose.": (
        "按您的选择，之前没有 MALLOC 的 FREE 行视为释放采集前已存在的内存块。"
    ),
    "MALLOC rows of blocks that live already end these blocks and begin new ones, as you chose.": (
        "按您的选择，内存块已存在时的 MALLOC 行会结束该内存块并开始新的内存块。"
    ),
    "FREE rows without a MALLOC before were left out of blocks and curves.": "之前没有 MALLOC 的 FREE 行未计入内存块和曲线。",
    "MALLOC rows of blocks that live already were left out of blocks and curves.": "内存块已存在时的 MALLOC 行未计入内存块和曲线。",
    "MALLOC rows without a size were left out of blocks and curves.": "没有大小的 MALLOC 行未计入内存块和曲线。",
    "MALLOC rows with a negative size count with its absolute value.": "大小为负的 MALLOC 行按绝对值计算。",
    "FREE rows without a device that fit no block, or several, were left out.": "没有设备、且不匹配或匹配多个内存块的 FREE 行已忽略。",
    "MALLOC rows without a device were left out of blocks and curves.": "没有设备的 MALLOC 行未计入内存块和曲线。",
    "Rows without a valid time were left out.": "时间无效的行已忽略。",
    "Rows tell another pool size than the running sum; rows may be missing from the file.": (
        "部分行记录的内存池大小与累计值不同，文件可能缺少数据行。"
    ),
    "Accesses before the MALLOC or after the FREE of their block count for none.": "在申请之前或释放之后的访问不计入任何内存块。",
    "Owner paths with more than 20 levels were cut.": "超过 20 级的归属路径已截断。",
    "Functions that end before they start were left out.": "结束早于开始的函数已忽略。",
    "Functions without any time were left out.": "没有任何时间的函数已忽略。",
    "{name} lacks a column and was left out.": "{name} 缺少列，已忽略。",
    "Pinned host memory has no owners.": "锁页主机内存没有归属信息。",
    "Choose another type.": "请选择其他类型。",
    "There is no owner of what lives at this time.": "该时刻存活的内存没有归属信息。",
    "Collect at least the events alloc and free with analysis=decompose.": "采集时至少打开 alloc 和 free 事件，并设置 analysis=decompose。",
    "Device {device} has no allocation of type {kind}.": "设备 {device} 没有类型为 {kind} 的内存申请。",
    "There are: {pools}.": "现有：{pools}。",
    "Process Total Memory Allocation": "进程内存申请总量",
    "CANN Total Memory Allocation": "CANN 内存申请总量",
    "ATB Reserved": "ATB 预留",
    "MindSpore Reserved": "MindSpore 预留",
    "PTA Reserved": "PTA 预留",
    "PTA Workspace": "PTA 工作空间",
    "PTA Operator": "PTA 算子",
    "PTA Model": "PTA 模型",
    "Unattributed": "未归属",
    "Optimizer": "优化器",
    "Weight": "权重",
    "Gradient": "梯度",
    "No MemScope dump is open.": "没有打开 MemScope 转储。",
    "Open a memscope_dump_*.db or .csv file.": "请打开 memscope_dump_*.db 或 .csv 文件。",
    "Several MemScope dumps are open.": "打开了多个 MemScope 转储。",
    "There is no MemScope dump '{name}'.": "没有名为“{name}”的 MemScope 转储。",
    "No comparison by the collector lies beside this dump.": "该转储旁边没有采集工具生成的对比文件。",
    "Put memory_compare_*.csv beside it.": "请将 memory_compare_*.csv 放在它旁边。",
    "{name} is no comparison by MemScope and was left out.": "{name} 不是 MemScope 对比文件，已略过。",
    "Its header needs the columns Name, Device Id and Diff Memory(byte).": "表头需包含 Name、Device Id 和 Diff Memory(byte) 列。",
    "Rows with too few cells were left out.": "单元格不足的行已略过。",
    "{name} cannot be read to its end ({reason}); the {count} rows before are kept.": "{name} 无法读到末尾（{reason}）；之前的 {count} 行已保留。",
    "Rows more than a day away from all others, e.g. at {ns} ns, lie outside the time axis; they stay in the event table.": (
        "与其他行相距一天以上的行（例如 {ns} ns）不在时间轴上；它们保留在事件表中。"
    ),
    "A threshold of {ns} ns or {percent} % is not possible.": "阈值 {ns} ns 或 {percent} % 无效。",
    "Use 0 to 10¹² ns and 0 to 100 %.": "请使用 0 到 10¹² ns、0 到 100 %。",
}

SENTENCES: dict[str, str] = {**MEMSCOPE}
