"""Sentences of readers and engine with their Chinese; `{name}` keeps a value, `(s)` an English plural."""

from __future__ import annotations

_COPY = "从采集机器重新拷贝该文件，或重新导出数据。"

DISCOVERY = {
    "No profiling data found in {where}: there are no files in it.": "在 {where} 中没有找到性能数据：其中没有文件。",
    "No profiling data found in {where}: {count} files were seen, none of a known kind.": (
        "在 {where} 中没有找到性能数据：看到 {count} 个文件，没有一个是已知类型。"
    ),
    "No profiling data found in {where}: {count} files were seen, none of a known kind ({listed}).": (
        "在 {where} 中没有找到性能数据：看到 {count} 个文件，没有一个是已知类型（{listed}）。"
    ),
    "No profiling data found in {where}: {path} is a symbolic link that leaves the folder; such links are not followed.": (
        "在 {where} 中没有找到性能数据：{path} 是指向文件夹之外的符号链接，这类链接不会被跟随。"
    ),
    "No profiling data could be read in {where}. {why}": "无法读取 {where} 中的性能数据。{why}",
    "The data in {where} were collected but not analysed: {name} holds raw data only, and no ASCEND_PROFILER_OUTPUT or "
    "mindstudio_profiler_output is there.": (
        "{where} 中的数据已采集但未解析：{name} 只有原始数据，没有 ASCEND_PROFILER_OUTPUT 或 mindstudio_profiler_output。"
    ),
    "{name} was collected but not analysed: it holds raw data only and was left out.": (
        "{name} 已采集但未解析：只有原始数据，已跳过。"
    ),
    "{name} holds no profile: its recording or analysis did not finish. It was left out.": (
        "{name} 中没有性能数据：采集或解析没有完成，已跳过。"
    ),
    "Pieces of an export are missing: {numbers}. What they hold is not shown.": (
        "导出文件缺少分片：{numbers}。其中的内容不会显示。"
    ),
    "Copy all pieces.": "请拷贝所有分片。",
    "{n} entries of the list of projects cannot be read and were left out; the list was kept as {name}.": (
        "项目列表中有 {n} 项无法读取，已跳过；原列表保存为 {name}。"
    ),
    "{name} is damaged: it has no version.": "{name} 已损坏：没有版本号。",
    "Accepted are: {kinds}": "支持：{kinds}",
    "folders of the Ascend PyTorch Profiler (*_ascend_pt) and MindSpore (*_ascend_ms), msprof output (PROF_*), "
    "cluster_analysis_output, Chrome trace JSON (.json, .json.gz), profiler databases (.db), kernel and memory csv, "
    "service data (profiler.db, ms_service_*.db, chrome_tracing.json), memory snapshots (.pickle), MemScope dumps, "
    "operator data (visualize_data.bin).": (
        "Ascend PyTorch Profiler（*_ascend_pt）和 MindSpore（*_ascend_ms）的文件夹、msprof 输出（PROF_*）、"
        "cluster_analysis_output、Chrome trace JSON（.json、.json.gz）、性能数据库（.db）、算子与内存 csv、"
        "服务化数据（profiler.db、ms_service_*.db、chrome_tracing.json）、内存快照（.pickle）、MemScope 转储、"
        "算子数据（visualize_data.bin）。"
    ),
    "Run the offline analysis first: in Python {call}, for msprof data {command}. Then open the folder again.": (
        "先做离线解析：Python 中运行 {call}；msprof 数据运行 {command}。然后重新打开该文件夹。"
    ),
    "{path} does not exist.": "{path} 不存在。",
    "The nearest folder that exists is {path}. Check the spelling, or whether a drive is mounted.": (
        "存在的最近一级文件夹是 {path}。检查拼写，或磁盘是否已挂载。"
    ),
    "{path} is a symbolic link to something that does not exist.": "{path} 是符号链接，其目标不存在。",
    "Open the target itself.": "直接打开链接的目标。",
    "Open the target of the link itself.": "直接打开链接的目标。",
    "{path} is a pipe, socket or device.": "{path} 是管道、套接字或设备。",
    "Open a file or a folder.": "打开文件或文件夹。",
    "The path is longer than the system allows.": "路径长度超过系统上限。",
    "Move the data to a shorter path.": "把数据移到较短的路径。",
    "No permission to read {path}: access denied. It was left out, the rest is kept.": (
        "没有读取 {path} 的权限：访问被拒绝。已跳过，其余数据保留。"
    ),
    "No permission to read {path}: access denied.": "没有读取 {path} 的权限：访问被拒绝。",
    "No permission to read {path}.": "没有读取 {path} 的权限。",
    "Ask the owner for read permission.": "向所有者申请读取权限。",
    "Ask the owner for read permission and open the folder again.": "向所有者申请读取权限后重新打开该文件夹。",
    "Change the rights of the file or its folder.": "修改文件或其文件夹的权限。",
    "{path} cannot be reached: access to a folder on the way is denied.": "无法到达 {path}：途中的文件夹拒绝访问。",
    "Ask the owner for read permission, or copy the data to a folder that you can read.": (
        "向所有者申请读取权限，或把数据拷贝到可读的文件夹。"
    ),
    "{path} cannot be read: {why}. The rest is kept.": "无法读取 {path}：{why}。其余数据保留。",
    "{path} disappeared while it was looked at.": "查看期间 {path} 消失了。",
    "{name} is no file that can be opened: {why}.": "{name} 不是可打开的文件：{why}。",
    "of an unknown kind": "类型未知",
    "Folders nested more than {n} levels deep were not searched, the first is {path}.": (
        "嵌套超过 {n} 层的文件夹未搜索，第一个是 {path}。"
    ),
    "Open that folder, or a folder closer to the data.": "打开该文件夹，或更接近数据的文件夹。",
    "The data lie more than {n} folders deep. They were found because nothing else is there.": (
        "数据位于 {n} 层以下的文件夹中；因为没有其他数据，所以仍被找到。"
    ),
    "Open a folder closer to the data.": "打开更接近数据的文件夹。",
    "More than {n} files and folders: the rest was not looked at.": "文件和文件夹超过 {n} 个：其余的没有查看。",
    "{name} holds no tasks and no framework calls; the text files of this card are used.": (
        "{name} 中没有任务和框架调用；使用该卡的文本文件。"
    ),
    "{name} holds no tasks and no framework calls ({why}); the text files of this card are used.": (
        "{name} 中没有任务和框架调用（{why}）；使用该卡的文本文件。"
    ),
    "{name} holds no tasks and no framework calls; the timeline stays empty.": "{name} 中没有任务和框架调用；时间线为空。",
    "Collect or export the data again; pages of the files beside it work.": "请重新采集或导出数据；旁边文件的页面可以使用。",
    "{name} is empty (0 bytes). Pages that need it stay empty, the others work.": (
        "{name} 为空（0 字节）。需要它的页面为空，其他页面正常。"
    ),
    "link to a file that is read already": "指向已读取文件的链接",
    "empty: it has 0 bytes": "空文件：0 字节",
    "no known kind of profiling file": "不是已知类型的性能文件",
    "it holds no file that can be opened; the analysis may have failed": "其中没有可打开的文件；解析可能失败了",
    "another database of the same rank; the newest folder is used": "同一 rank 的另一个数据库；使用最新的文件夹",
    "a pickle that is no memory snapshot": "pickle 文件，但不是内存快照",
    "an older export; the newest is used": "较旧的导出；使用最新的",
    "collected but not analysed: raw data only": "已采集但未解析：只有原始数据",
    "the same folder was read already (link or loop)": "同一文件夹已读取（链接或循环）",
    "symbolic link that leaves the opened folder; open its target itself to read it": (
        "指向所打开文件夹之外的符号链接；直接打开其目标即可读取"
    ),
    "symbolic link to something that does not exist": "符号链接，其目标不存在",
    "neither a file nor a folder (pipe, socket or device)": "既不是文件也不是文件夹（管道、套接字或设备）",
    "cache of another viewer; not needed": "其他查看器的缓存；不需要",
    "notebook; not a profile": "notebook；不是性能数据",
    "advice of the collector; not read": "采集工具的建议；不读取",
    "step trace of the command line collector; its csv twin is used": "命令行采集的 step trace；使用对应的 csv",
    "saved session; open it on its own": "已保存的会话；单独打开",
    "and {n} more files or folders": "以及另外 {n} 个文件或文件夹",
}

TRACES = {
    "{name} ends inside an event (truncated at byte {at}); the {kept} whole events before are kept.": (
        "{name} 在事件中间结束（截断于第 {at} 字节）；之前的 {kept} 个完整事件已保留。"
    ),
    "{name}: {problem}; {kept} whole events are kept.": "{name}：{problem}；{kept} 个完整事件已保留。",
    "{name} is not valid JSON at byte {at}: damaged events were skipped there ({skipped} bytes in all); {kept} whole "
    "events before and behind are kept.": (
        "{name} 在第 {at} 字节处不是有效的 JSON：跳过了损坏的事件（共 {skipped} 字节）；前后 {kept} 个完整事件已保留。"
    ),
    "{name} does not begin like a trace (first bytes {head}); {kept} whole events were found in it.": (
        "{name} 的开头不像 trace（前几个字节为 {head}）；其中找到 {kept} 个完整事件。"
    ),
    "{name}: the closing bracket is missing at byte {at}; the file may be truncated, {kept} events are kept.": (
        "{name}：第 {at} 字节处缺少右括号；文件可能被截断，{kept} 个事件已保留。"
    ),
    "{name}: data follow the end of the JSON at byte {at}; events in it are read too.": (
        "{name}：JSON 在第 {at} 字节结束后还有数据；其中的事件也已读取。"
    ),
    "{name} holds {n} events, but no slices, instants or counter values among them: the timeline is empty.": (
        "{name} 有 {n} 个事件，但没有切片、瞬时事件或计数器数值：时间线为空。"
    ),
    "Collect again with activities switched on, or open another file of the run.": (
        "打开采集活动（activities）后重新采集，或打开本次运行的其他文件。"
    ),
    "Slices begin but never end (ph B, b or S); they are drawn as unfinished.": (
        "有切片开始但没有结束（ph B、b 或 S）；按未完成绘制。"
    ),
    "Ends without a begin (ph E, e or F) were ignored.": "没有开始的结束事件（ph E、e 或 F）已忽略。",
    "Events of phases that are not shown: {listed}.": "未显示的事件类型：{listed}。",
    "Events at time 0 stand among events with calendar times; they are kept, the first view leaves them out.": (
        "带日历时间的事件中有时间为 0 的事件；它们已保留，初始视图不包含它们。"
    ),
    "Metadata events without a usable value were ignored.": "没有可用值的元数据事件已忽略。",
    "Elements that are no objects were skipped.": "不是对象的元素已跳过。",
    "Objects without a phase (ph) are no events and were skipped.": "没有 ph 的对象不是事件，已跳过。",
    "Events whose ts is missing, negative or no number stand at time 0.": "ts 缺失、为负或不是数字的事件放在时间 0。",
    "Slices whose dur is missing, negative or no number have zero length.": "dur 缺失、为负或不是数字的切片长度为 0。",
    "Ends of flows without an id cannot be linked and were left out.": "没有 id 的连线端点无法连接，已跳过。",
    "Counter events at time 0 were left out.": "时间为 0 的计数器事件已跳过。",
    "Counter events without a number were left out.": "没有数值的计数器事件已跳过。",
    "Counter values that are no numbers were left out.": "不是数字的计数器值已跳过。",
    "Copy or export the file again if the missing part matters.": "如果需要缺失的部分，请重新拷贝或导出该文件。",
    "A trace is an array of events, an object with traceEvents, or one event per line.": (
        "trace 应为事件数组、含 traceEvents 的对象，或每行一个事件。"
    ),
    "{name} is empty (0 bytes).": "{name} 为空（0 字节）。",
    "{name} is empty: it holds blanks only.": "{name} 为空：只有空白。",
    "Export or copy the trace again.": "重新导出或拷贝该 trace。",
    "{name} ends inside its first event (truncated at byte {at}): no trace events found.": (
        "{name} 在第一个事件中间结束（截断于第 {at} 字节）：没有找到 trace 事件。"
    ),
    "{name} is not valid JSON at byte {at} and behind: no trace events found (first bytes {head}).": (
        "{name} 从第 {at} 字节起不是有效的 JSON：没有找到 trace 事件（开头字节 {head}）。"
    ),
    "{name} is not JSON: it begins with {head}; no trace events found.": (
        "{name} 不是 JSON：开头为 {head}；没有找到 trace 事件。"
    ),
    "{name} is {what} (first bytes {head}).": "{name} 是 {what}（前几个字节为 {head}）。",
    "{name} cannot be read: {problem}; no trace events found.": "无法读取 {name}：{problem}；没有找到 trace 事件。",
    "{name} is JSON, but no trace events were found in its elements: no element has a phase (ph).": (
        "{name} 是 JSON，但其元素中没有 trace 事件：没有元素带 ph。"
    ),
    "{name} holds no trace events: no trace events found in an array or under traceEvents, which is empty or missing "
    "(first bytes {head}).{where}": (
        "{name} 中没有 trace 事件：数组或 traceEvents 为空或缺失（前几个字节为 {head}）。{where}"
    ),
    "{name} holds no trace events: no trace events found in an array or under traceEvents, which is empty or missing "
    "(first bytes {head}).": "{name} 中没有 trace 事件：数组或 traceEvents 为空或缺失（前几个字节为 {head}）。",
    "{n} slice(s) overlap another one of their thread only partly, first {first}. They are shown whole on rows of "
    "their own; busy time counts the overlap once.": (
        "{n} 个切片与同一线程的其他切片部分重叠，第一个是 {first}。它们在单独的行上完整显示；忙碌时间中重叠只计一次。"
    ),
    "{n} slice(s) overrun all that follows by far, first {first}. The recorded duration is kept; sums contain it, busy "
    "time counts the overlap once.": (
        "{n} 个切片远远越过其后的所有切片，第一个是 {first}。保留记录的时长；合计包含它，忙碌时间中重叠只计一次。"
    ),
    "Read sums of this thread with care, or select a range without the slice.": (
        "谨慎看待该线程的合计，或选择不含该切片的范围。"
    ),
    "{n} event(s) far outside the rest in time, first {first}. They are kept, but the first view does not show them.": (
        "{n} 个事件的时间远离其余事件，第一个是 {first}。它们已保留，但初始视图不显示。"
    ),
    "Search for the event by name to go to it.": "按名称搜索该事件即可跳转。",
    "{n} unmatched end(s) of links: no other end has the same category and id; not drawn.": (
        "{n} 个连线端点没有配对：没有类别和 id 相同的另一端；不绘制。"
    ),
    "{n} link(s) with an end where no slice is; not drawn.": "{n} 条连线的一端没有切片；不绘制。",
    "Times of a captured graph only tell an order: waits were lengthened to the end of their record, and what follows "
    "them was moved.": "捕获图中的时间只表示先后：等待已延长到对应记录的结束，其后的内容相应后移。",
}

DATABASES = {
    "The database is truncated: {n} bytes are missing at its end. Rows on the pages that are there are kept.": (
        "数据库被截断：末尾缺少 {n} 字节。已有页上的行保留。"
    ),
    "The database {name} is truncated: its last {n} bytes are missing, nothing of it can be used.": (
        "数据库 {name} 被截断：缺少末尾 {n} 字节，无法使用其中任何内容。"
    ),
    "The database {name} is truncated: it has {n} bytes only.": "数据库 {name} 被截断：只有 {n} 字节。",
    "The database {name} is damaged ({why}).": "数据库 {name} 已损坏（{why}）。",
    "The database {name} is damaged: no row of {tables} could be read.": "数据库 {name} 已损坏：{tables} 没有一行可读。",
    "The database {name} cannot be read ({why}).": "无法读取数据库 {name}（{why}）。",
    "{name} is not an SQLite database: it begins with zero bytes only, as after an interrupted copy.": (
        "{name} 不是 SQLite 数据库：开头全是零字节，像是拷贝中断所致。"
    ),
    "{name} is not an SQLite database: it begins with {head}. It may be encrypted or of another format.": (
        "{name} 不是 SQLite 数据库：开头为 {head}。它可能已加密或是其他格式。"
    ),
    "{name} is not an SQLite database but {what} (it begins with {head}).": (
        "{name} 不是 SQLite 数据库，而是{what}（开头为 {head}）。"
    ),
    "a Git LFS pointer: the data were not downloaded": " Git LFS 指针：数据尚未下载",
    "gzip data": " gzip 数据",
    "a zip archive": " zip 压缩包",
    "zstd data": " zstd 数据",
    "xz data": " xz 数据",
    "bzip2 data": " bzip2 数据",
    "an SQLite database": " SQLite 数据库",
    "an HTML page, as a server sends it in place of a file": " HTML 页面，像是服务器代替文件发来的",
    "Fetch the file with `git lfs pull` and open it again.": "用 `git lfs pull` 取得该文件后再打开。",
    "Unpack it and open what is inside.": "解压后打开其中的文件。",
    "Give the file its original name ending in .db.": "恢复该文件以 .db 结尾的原名。",
    "Download the file itself.": "请下载文件本身。",
    "{name} holds no slices and no counters: its timeline is empty.": "{name} 中没有切片和计数：其时间线为空。",
    "{name} is an SQLite database without tables.": "{name} 是没有表的 SQLite 数据库。",
    "{name} is an SQLite database, but none of its tables is one of a profiler.": (
        "{name} 是 SQLite 数据库，但没有一张表来自性能采集。"
    ),
    "Open a profiler database, or export the data again.": "打开性能数据库，或重新导出数据。",
    "{name} is locked by another program.": "{name} 被其他程序锁定。",
    "Close the program that writes it.": "关闭正在写入它的程序。",
    "Copy the file again from where it was recorded, or export the data again.": _COPY,
    "Table {table} is damaged ({why}); rows that can be read and the other tables are kept.": (
        "表 {table} 已损坏（{why}）；可读的行和其他表已保留。"
    ),
    "Rows of {table} without a time were left out.": "{table} 中没有时间的行已跳过。",
    "Rows of {table} whose time is text without digits were left out.": "{table} 中时间不是数字的行已跳过。",
    "Rows of {table} repeat a {key}; the first of each is used.": "{table} 中有重复的 {key}；使用各自的第一行。",
    "Rows of {table} without a TASK have no time and are not drawn.": (
        "{table} 中没有对应 TASK 的行没有时间，不绘制。"
    ),
    "{name} has to be copied before it can be read, which failed ({why}).": "{name} 需先复制才能读取，但复制失败（{why}）。",
    "Free some space in the cache folder, or close the program that writes the file.": (
        "释放缓存文件夹的空间，或关闭正在写入该文件的程序。"
    ),
}

TABLES = {
    "{name} cannot be used: it is no csv but {what}.": "{name} 无法使用：它不是 csv，而是{what}。",
    "{name} cannot be used: it has no column {columns}. Its header is: {header}.": (
        "{name} 无法使用：没有列 {columns}。其表头为：{header}。"
    ),
    "Check that the file is not renamed, and export the data again if its first line is damaged.": (
        "检查文件是否被改名；如果第一行损坏，请重新导出数据。"
    ),
    "{name} is empty: it has a header but no rows.": "{name} 为空：只有表头，没有数据行。",
    "{name} ends inside a row; the rows before it are kept.": "{name} 在一行中间结束；之前的行已保留。",
    "Copy the file again or export the data again.": "重新拷贝该文件，或重新导出数据。",
    "Rows of {name} with fewer fields than the header were left out.": "{name} 中字段少于表头的行已跳过。",
    "Rows of {name} have more fields than the header; the fields behind its end were dropped.": (
        "{name} 中有些行的字段多于表头；多出的字段已丢弃。"
    ),
    "{name} is not UTF-8; its texts were read as GB18030 where that fits.": "{name} 不是 UTF-8；其文本按 GB18030 读取。",
    "Column {column} of {name} holds numbers with an exponent, as a spreadsheet writes them: the times lost precision.": (
        "{name} 的列 {column} 含有带指数的数字（表格软件的写法）：时间已损失精度。"
    ),
    "Use the file that the collector wrote, not one saved by a spreadsheet.": "使用采集工具写出的文件，而不是表格软件另存的。",
    "Cells of column {column} of {name} are no numbers and count as empty.": "{name} 的列 {column} 中有不是数字的单元格，视为空。",
    "Export the data again.": "重新导出数据。",
    "{name} cannot be used ({why}). The card opens without its collector settings.": (
        "{name} 无法使用（{why}）。该卡打开时没有采集设置。"
    ),
    "Operators of {name} without times were left out.": "{name} 中没有时间的算子已跳过。",
    "{name} is damaged JSON: {why}.": "{name} 是损坏的 JSON：{why}。",
    "Card {card} has no {files}.": "卡 {card} 没有 {files}。",
    "{first} or {second}": "{first} 或 {second}",
    "table {name}": "表 {name}",
    "{names} of card {card} has no rows that can be used.": "卡 {card} 的 {names} 中没有可用的行。",
    "{names} of card {card} have no rows that can be used.": "卡 {card} 的 {names} 中没有可用的行。",
    "The files of card {card} are not known.": "不知道卡 {card} 的文件。",
    "Open the data again.": "重新打开数据。",
    "Databases hold no static graphs; text exports have them in static_op_mem.csv.": (
        "数据库中没有静态图；文本导出的 static_op_mem.csv 中有。"
    ),
    "Collect with profile_memory=True.": "采集时设置 profile_memory=True。",
    "Collect with profile_memory=True, or with sys_hardware_mem of the command line collector.": (
        "采集时设置 profile_memory=True，或使用命令行采集的 sys_hardware_mem。"
    ),
    "Only static graphs of a text export have it.": "只有文本导出的静态图才有。",
    "Collect at profiler_level Level0 or above with the NPU among the activities, and export the data.": (
        "以 profiler_level Level0 或更高级别采集，activities 中包含 NPU，并导出数据。"
    ),
    "Export the data as text.": "以文本方式导出数据。",
    "Collect with the CPU among the activities and export the data as text.": "activities 中包含 CPU 采集，并以文本方式导出。",
    "Collect at profiler_level Level1 or above and export the data as text.": (
        "以 profiler_level Level1 或更高级别采集，并以文本方式导出。"
    ),
    "Collect at profiler_level Level1 or above on more than one card.": "以 profiler_level Level1 或更高级别在多卡上采集。",
    "Collect with a schedule and export the data as text.": "设置 schedule 采集，并以文本方式导出。",
    "Card {card} has no static graph.": "卡 {card} 没有静态图。",
    "Static graphs come with static_op_mem.csv.": "静态图来自 static_op_mem.csv。",
}

IMPORTS = {
    "{name} changed while it was read.": "{name} 在读取期间发生了变化。",
    "Open it again when it is written completely.": "写入完成后重新打开。",
    "There is not enough memory to read {name}.": "内存不足，无法读取 {name}。",
    "Close other programs or read a smaller part of the data.": "关闭其他程序，或读取较小的一部分数据。",
    "{name} could not be read: {why}": "无法读取 {name}：{why}",
    "Card {card} could not be read: {why}": "无法读取卡 {card}：{why}",
    "Card {card} has no files that can be read.": "卡 {card} 没有可读取的文件。",
    "The process that read card {card} ended unexpectedly; other cards are not affected.": (
        "读取卡 {card} 的进程意外结束；其他卡不受影响。"
    ),
    "The log has the details.": "详情见日志。",
    "The log has the details; please report it with the file if you may.": "详情见日志；如可以，请连同文件一起反馈。",
    "The import was stopped.": "导入已停止。",
    "Open the data again to read it.": "重新打开数据即可读取。",
    "Data of the format {format} have no timeline; pages that use them read the files when opened.": (
        "{format} 格式的数据没有时间线；使用它们的页面打开时读取文件。"
    ),
    "The disk that holds {path} is full; the half-written capture was removed.": (
        "{path} 所在磁盘已满；写到一半的缓存已删除。"
    ),
    "Free some space, lower the cache limit in the settings, or choose another folder with --cache.": (
        "释放空间，在设置中调低缓存上限，或用 --cache 选择其他文件夹。"
    ),
    "The cache folder {path} cannot be written ({why}).": "无法写入缓存文件夹 {path}（{why}）。",
    "Choose another folder with --cache or INSIGHT_HOME.": "用 --cache 或 INSIGHT_HOME 选择其他文件夹。",
    "No whole capture in {path}.": "{path} 中没有完整的缓存。",
    "The capture in {path} is of another version.": "{path} 中的缓存属于其他版本。",
    "Read the data again.": "重新读取数据。",
    "There is a project named {name} already.": "已有名为 {name} 的项目。",
    "Choose another name.": "换一个名称。",
    "{path} cannot be written: {why}.": "无法写入 {path}：{why}。",
    "Check the free space and the rights of that folder, or save somewhere else.": (
        "检查该文件夹的剩余空间和权限，或保存到其他位置。"
    ),
    "{path} cannot be read: {why}.": "无法读取 {path}：{why}。",
    "{path} cannot be read ({why}).": "无法读取 {path}（{why}）。",
    "The cards begin at different times: {last} starts {seconds} s after {first}. Their clocks may differ, or they were "
    "recorded one after the other. The recorded times are kept.": (
        "各卡的起始时间不同：{last} 比 {first} 晚 {seconds} s。它们的时钟可能不一致，或者是先后采集的。保留记录的时间。"
    ),
    "Align the cards with an offset per card (Align, or Set offset in the menu of a card).": (
        "为各卡设置偏移来对齐（“对齐”，或卡菜单中的“设置偏移”）。"
    ),
    "sorting slices": "切片排序",
    "links": "连线",
    "level of detail": "细节层级",
    "another window reads it": "另一个窗口正在读取",
    "No such file or directory": "没有该文件或文件夹",
    "Permission denied": "权限不足",
    "No space left on device": "磁盘空间不足",
    "Is a directory": "是文件夹",
    "the compressed data end too early": "压缩数据提前结束",
}

# Categories of Overall Metrics; names of operators and groups stay as they are.
CATEGORIES = {
    "Computing Time": "计算时间",
    "Communication(Not Overlapped) Time": "未被掩盖的通信时间",
    "Free Time": "空闲时间",
    "E2E Time": "端到端时间",
    "Wait Time": "等待时间",
    "Transmit Time": "传输时间",
    "Other": "其他",
    "Forward": "前向",
    "Backward": "反向",
    "Other Cube": "其他 Cube",
    "Other Vector": "其他 Vector",
    "Trans": "转换",
    "No Trans": "非转换",
}

SENTENCES = {**DISCOVERY, **TRACES, **DATABASES, **TABLES, **IMPORTS}
