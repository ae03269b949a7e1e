"""Sentences of the engine for memory snapshots with their Chinese; see `engine_text_zh`."""

from __future__ import annotations

SENTENCES: dict[str, str] = {
    # ---- what a file is refused for
    "{name} is empty.": "{name} 是空文件。",
    "{name}: {reason}": "{name}：{reason}",
    "Copy the file again, or record it anew.": "请重新拷贝该文件，或重新录制。",
    "Copy the file again.": "请重新拷贝该文件。",
    "the file is empty.": "文件为空。",
    "the file ends early ({pos} of {size} bytes hold whole instructions).": "文件提前结束（{size} 字节中仅 {pos} 字节为完整指令）。",
    "refused: contains executable pickle instruction {name} at byte {pos}.": "已拒绝：第 {pos} 字节含可执行的 pickle 指令 {name}。",
    "unknown pickle instruction {name} at byte {pos}.": "第 {pos} 字节有未知的 pickle 指令 {name}。",
    "pickle protocol {protocol} is not one of 2 to 5.": "pickle 协议 {protocol} 不在 2 至 5 之内。",
    "refused: memo number out of range at byte {pos}.": "已拒绝：第 {pos} 字节的 memo 编号越界。",
    "refused: instruction {name} at byte {pos} does not fit what stands before it.": "已拒绝：第 {pos} 字节的指令 {name} 与其前内容不符。",
    "refused: nested too deep at byte {pos}.": "已拒绝：第 {pos} 字节处嵌套过深。",
    "refused: a text of more than 1 MiB at byte {pos}.": "已拒绝：第 {pos} 字节处的文本超过 1 MiB。",
    "refused: a number of more than 64 bits at byte {pos}.": "已拒绝：第 {pos} 字节处的整数超过 64 位。",
    "refused: a key that is no text at byte {pos}.": "已拒绝：第 {pos} 字节处的键不是文本。",
    "refused: an object is filled again after its use at byte {pos}.": "已拒绝：第 {pos} 字节处的对象在使用后被再次填充。",
    "refused: nested too deep.": "已拒绝：嵌套过深。",
    "refused: the gzip swells beyond any real snapshot.": "已拒绝：gzip 解压后远超真实快照的大小。",
    "the gzip is damaged ({error}).": "gzip 已损坏（{error}）。",
    "the gzip ends early ({packed} bytes, {total} unpacked).": "gzip 提前结束（{packed} 字节，解压 {total}）。",
    "not readable as JSON: {error}.": "无法按 JSON 读取：{error}。",
    "no key segments/device_traces: this is no memory snapshot.": "没有 segments/device_traces 键：不是内存快照。",
    "{key} is no list: this is no memory snapshot.": "{key} 不是列表：不是内存快照。",
    "no tables trace_entry_<device>: this is no converted memory snapshot.": "没有 trace_entry_<device> 表：不是转换后的内存快照。",
    "neither segments nor events.": "既没有内存段也没有事件。",
    "a torch.save archive (zip), not a memory snapshot.": "这是 torch.save 归档（zip），不是内存快照。",
    "an HTML page, not a pickle; save the snapshot itself, not the page that shows it.": "这是 HTML 页面而不是 pickle，请保存快照本身。",
    "refused: pickle protocol 0 or 1 (text), only 2 to 5 are not executable by design.": "已拒绝：pickle 协议 0 或 1（文本），仅支持 2 至 5。",
    "not a pickle.": "不是 pickle 文件。",
    "not a pickle but {what}.": "不是 pickle 文件，而是{what}。",
    "needs more than the {gib} GiB of memory that a file of this size may take.": "所需内存超过该大小文件允许的 {gib} GiB。",
    "reading it needs more than the limit of {gib} GiB of memory; the reader was stopped.": "读取所需内存超过上限 {gib} GiB，已停止读取。",
    "the reader ended without an answer ({last}).": "读取进程无结果退出（{last}）。",
    "cannot be read: {error}.": "无法读取：{error}。",
    "{name} has {size} GiB, more than 16.": "{name} 为 {size} GiB，超过 16 GiB。",
    "{size} GiB: reading takes a while; it can be stopped.": "{size} GiB：读取需要一些时间，可随时停止。",
    "Only open snapshots that PyTorch wrote; nothing of this file was executed.": "请仅打开 PyTorch 生成的快照；该文件中的任何内容均未执行。",
    "Save the snapshot again with torch.cuda.memory._dump_snapshot or torch_npu.npu.memory._dump_snapshot.": (
        "请用 torch.cuda.memory._dump_snapshot 或 torch_npu.npu.memory._dump_snapshot 重新保存快照。"
    ),
    "Open the file that torch.cuda.memory._dump_snapshot or torch_npu.npu.memory._dump_snapshot wrote.": (
        "请打开由 torch.cuda.memory._dump_snapshot 或 torch_npu.npu.memory._dump_snapshot 生成的文件。"
    ),
    "Record fewer events (max_entries), or open it on a machine with more memory.": "请减少录制的事件数（max_entries），或在内存更大的机器上打开。",
    "Record fewer events (max_entries).": "请减少录制的事件数（max_entries）。",
    "Record while memory is in use.": "请在使用内存期间录制。",
    "Open the pickle that it was made from.": "请打开其来源的 pickle 文件。",
    "This is no memory snapshot.": "这不是内存快照。",
    "Unpack it by hand first.": "请先手动解压。",
    "Check the permissions of the file.": "请检查文件权限。",
    # ---- what was repaired
    "{count} fields of events with a value of the wrong kind were left out.": "{count} 个类型错误的事件字段已忽略。",
    "{count} entries of call stacks that are no frames were left out.": "{count} 个不是栈帧的调用栈条目已忽略。",
    "{count} entries of segments or blocks that are no dictionaries were left out.": "{count} 个不是字典的内存段或内存块条目已忽略。",
    "{count} entries of the traces without an action were left out.": "{count} 个没有 action 的事件条目已忽略。",
    "{count} sizes below 0 or beyond any memory count as 0.": "{count} 个小于 0 或超出任何内存的大小按 0 计。",
    "{sentence} First at event {event}.": "{sentence}首次出现于事件 {event}。",
    "{count} blocks were allocated and never freed in the trace, but do not live at the dump: their frees were lost.": (
        "{count} 个内存块在事件中申请后从未释放，但转储时已不存在：其释放事件丢失。"
    ),
    "{count} allocations of an address that lives already: the free between them was lost; the older block ends there.": (
        "{count} 次对仍存活地址的申请：其间的释放事件丢失，较早的内存块在此结束。"
    ),
    "{count} frees of addresses that do not live: left out, or the block begins again after them.": (
        "{count} 次对不存活地址的释放：已忽略，或内存块在其后重新开始。"
    ),
    "{count} second frees of a block: left out.": "{count} 次重复释放：已忽略。",
    "{count} blocks whose state at the dump differs from the trace: the dump counts.": "{count} 个内存块在转储中的状态与事件不同：以转储为准。",
    "{count} blocks are not freed in the trace, and the file tells nothing of the segments at its end: shown as survivors.": (
        "{count} 个内存块在事件中未释放，且文件没有结束时的内存段信息：按存活显示。"
    ),
    "{count} segments that the trace takes are not there at the dump.": "{count} 个事件中申请的内存段在转储中不存在。",
    "{count} events after which the totals would be negative.": "{count} 个事件之后总量会变为负值。",
    "The ring buffer of the recording overflowed: events were lost, blocks from before recording have no stack.": (
        "录制的环形缓冲区已溢出：部分事件丢失，录制前的内存块没有调用栈。"
    ),
    "Record with a larger max_entries, or dump earlier.": "请增大 max_entries，或更早转储。",
    "{count} blocks lived before recording began; they have no stack.": "{count} 个内存块在录制开始前已存在，没有调用栈。",
    # ---- reasons
    "{blocks} of {made} allocations not freed, in {growing} of {parts} parts of the range": (
        "{made} 次申请中有 {blocks} 次未释放，分布在区间 {parts} 段中的 {growing} 段"
    ),
    "{blocks} blocks live at the peak, for {life} events on average": "峰值时存活 {blocks} 个内存块，平均存活 {life} 个事件",
    "{blocks} blocks at the peak, up to {most} B each beyond what was asked for": "峰值时 {blocks} 个内存块，每块最多超出申请 {most} B",
    "wholly free at the peak: emptying the cache returns them": "峰值时完全空闲：清空缓存即可归还",
    "{gaps} gaps in segments in use, the largest {most} B": "使用中的内存段内有 {gaps} 个空隙，最大 {most} B",
    # ---- questions
    "This snapshot has no private memory pools.": "该快照没有私有内存池。",
    "They come with CUDA graphs and user pools.": "它们来自 CUDA 图和用户内存池。",
    "No memory snapshot is open.": "没有打开内存快照。",
    "Open a .pickle or .pkl file that PyTorch wrote.": "请打开 PyTorch 生成的 .pickle 或 .pkl 文件。",
    "{text} is no address.": "{text} 不是地址。",
    "Write hexadecimal or decimal digits.": "请输入十六进制或十进制数字。",
    "There is no event {event}.": "没有事件 {event}。",
    "The visible range holds no event.": "可见区间内没有事件。",
    "Zoom out first.": "请先缩小视图。",
    "The snapshot itself is never written.": "不会写入快照文件本身。",
    "Choose another name.": "请选择其他名称。",
    # ---- a part of the events
    "{text!r} is no range of events.": "{text!r} 不是事件范围。",
    "The range of events {text} ends before it begins.": "事件范围 {text} 的终点在起点之前。",
    "Write first:last, e.g. 1000:2000, 1000: or :2000; events count from 0, the last one is included.": "请写成 起:止，如 1000:2000、1000: 或 :2000；事件从 0 计数，包含终点。",
    "{name} has no event {number}: its longest trace has {count} events.": "{name} 没有事件 {number}：最长的轨迹有 {count} 个事件。",
    "Choose an earlier range, or read all events.": "请选择更靠前的范围，或读取全部事件。",
    "Only a part was read: {part} of {count}.": "只读取了一部分：{part}，共 {count}。",
    "Read all events to see the rest.": "读取全部事件可查看其余部分。",
}
