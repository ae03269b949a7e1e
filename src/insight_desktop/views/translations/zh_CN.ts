<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
    <context>
        <name>insight</name>
        <message>
            <source>#</source>
            <translation>#</translation>
        </message>
        <message>
            <source>(no type)</source>
            <translation>（无类型）</translation>
        </message>
        <message>
            <source>1 allocation alive</source>
            <translation>1 次分配存活</translation>
        </message>
        <message>
            <source>1 call</source>
            <translation>1 次调用</translation>
        </message>
        <message>
            <source>1 card</source>
            <translation>1 张卡</translation>
        </message>
        <message>
            <source>1 damaged row of the kernel file was left out.</source>
            <translation>已略过算子文件中 1 行损坏的数据。</translation>
        </message>
        <message>
            <source>1 kernel takes far longer than its like and costs {0} µs.</source>
            <translation>1 个算子的耗时远超同类，多花费 {0} µs。</translation>
        </message>
        <message>
            <source>1 lane</source>
            <translation>1 条泳道</translation>
        </message>
        <message>
            <source>1 note</source>
            <translation>1 条说明</translation>
        </message>
        <message>
            <source>1 recorded value differs</source>
            <translation>1 个记录值不一致</translation>
        </message>
        <message>
            <source>1 row</source>
            <translation>1 行</translation>
        </message>
        <message>
            <source>1 step</source>
            <translation>1 个迭代</translation>
        </message>
        <message>
            <source>1 unit hidden</source>
            <translation>已隐藏 1 个单元</translation>
        </message>
        <message>
            <source>1 − largest gap / all gaps. Σ gap² / (Σ segment)²: {0}. Lost to rounding: {1} B.</source>
            <translation>1 − 最大空隙 / 空隙总量。Σ 空隙² / (Σ 内存段)²：{0}。对齐损失：{1} B。</translation>
        </message>
        <message>
            <source>95 % interval of the mean</source>
            <translation>均值的 95 % 置信区间</translation>
        </message>
        <message>
            <source>95 of 100 slices are not longer</source>
            <translation>100 个切片中有 95 个不长于此值</translation>
        </message>
        <message>
            <source>&gt;, &lt;, a..b</source>
            <translation>&gt;, &lt;, a..b</translation>
        </message>
        <message>
            <source>A FREE on an address that no row used before ends a block that lived since the start of the data, with the size that the FREE tells. Otherwise it is ignored.</source>
            <translation>若某个 FREE 的地址之前没有任何行使用过，则视为释放一个从数据起点就存在的内存块，大小取自该 FREE；否则忽略该行。</translation>
        </message>
        <message>
            <source>A MALLOC of a block that lives already ends this block and begins a new one. Otherwise it is ignored.</source>
            <translation>内存块仍存在时的 MALLOC 会结束该内存块并开始一个新的内存块；否则忽略该行。</translation>
        </message>
        <message>
            <source>A finished cluster_analysis_output is read as it is. Delete it and read the ranks again when it is out of date.</source>
            <translation>已有的 cluster_analysis_output 会按原样读取。如果它已过期，请将其删除后重新读取各卡。</translation>
        </message>
        <message>
            <source>A frequency that drops by more than {n} % (whole percent of its maximum) is a problem. The time filter does not apply.</source>
            <translation>频率下降超过 {n} %（占最大值的整数百分比）即为问题。不受时间过滤影响。</translation>
        </message>
        <message>
            <source>A gap that is large enough exists where this request may not use it.</source>
            <translation>存在足够大的空隙，但该申请不能使用它。</translation>
        </message>
        <message>
            <source>A large file is read when its code is asked for.</source>
            <translation>大文件在查看代码时才读取。</translation>
        </message>
        <message>
            <source>A project needs a name.</source>
            <translation>项目需要一个名称。</translation>
        </message>
        <message>
            <source>A training run that leaks and runs out of memory</source>
            <translation>存在泄漏并最终内存不足的训练任务</translation>
        </message>
        <message>
            <source>A/B</source>
            <translation>A/B</translation>
        </message>
        <message>
            <source>A: {time}</source>
            <translation>A：{time}</translation>
        </message>
        <message>
            <source>ACLNN Operators</source>
            <translation>ACLNN 算子</translation>
        </message>
        <message>
            <source>AICPU Operators</source>
            <translation>AICPU 算子</translation>
        </message>
        <message>
            <source>ALL</source>
            <translation>全部</translation>
        </message>
        <message>
            <source>APP: memory of the whole process</source>
            <translation>APP：整个进程的内存</translation>
        </message>
        <message>
            <source>About Insight Desktop</source>
            <translation>关于 Insight Desktop</translation>
        </message>
        <message>
            <source>Accelerator Core</source>
            <translation>加速核</translation>
        </message>
        <message>
            <source>Accelerator Core Durations</source>
            <translation>加速器核时长</translation>
        </message>
        <message>
            <source>Accepted</source>
            <translation>接受</translation>
        </message>
        <message>
            <source>Accepted (%)</source>
            <translation>接受率 (%)</translation>
        </message>
        <message>
            <source>Accepted drafts by position</source>
            <translation>各位置的草稿接受率</translation>
        </message>
        <message>
            <source>Accepted drafts by request</source>
            <translation>各请求的草稿接受率</translation>
        </message>
        <message>
            <source>Accepted drafts over time</source>
            <translation>草稿接受率随时间的变化</translation>
        </message>
        <message>
            <source>Accepted share</source>
            <translation>接受率</translation>
        </message>
        <message>
            <source>Access outside the life of its block</source>
            <translation>在内存块生命周期之外的访问</translation>
        </message>
        <message>
            <source>Accesses</source>
            <translation>访问次数</translation>
        </message>
        <message>
            <source>Action</source>
            <translation>操作</translation>
        </message>
        <message>
            <source>Activated: allocated, and freed blocks that another stream still uses</source>
            <translation>Activated：已分配的内存，加上已释放但仍被其他流使用的内存块</translation>
        </message>
        <message>
            <source>Active</source>
            <translation>活跃</translation>
        </message>
        <message>
            <source>Active Bw(GB/s)</source>
            <translation>活跃带宽(GB/s)</translation>
        </message>
        <message>
            <source>Active Duration(ms)</source>
            <translation>激活持续时间(ms)</translation>
        </message>
        <message>
            <source>Active Memory Block Timeline Graph</source>
            <translation>内存块生命周期图</translation>
        </message>
        <message>
            <source>Active Rate(%)</source>
            <translation>活跃率(%)</translation>
        </message>
        <message>
            <source>Active Release Time(ms)</source>
            <translation>激活释放时间(ms)</translation>
        </message>
        <message>
            <source>Active after</source>
            <translation>之后的活跃量</translation>
        </message>
        <message>
            <source>Active before</source>
            <translation>之前的活跃量</translation>
        </message>
        <message>
            <source>Active memory</source>
            <translation>活跃内存</translation>
        </message>
        <message>
            <source>Active memory ({0})</source>
            <translation>活跃内存 ({0})</translation>
        </message>
        <message>
            <source>Active memory over time</source>
            <translation>随时间的活跃内存</translation>
        </message>
        <message>
            <source>Active release minus allocation; 0 when it was not released</source>
            <translation>激活释放时间减去申请时间；未释放时为 0</translation>
        </message>
        <message>
            <source>Active, difference</source>
            <translation>活跃量差值</translation>
        </message>
        <message>
            <source>Add data to this project…</source>
            <translation>向此项目添加数据…</translation>
        </message>
        <message>
            <source>Add data…</source>
            <translation>添加数据…</translation>
        </message>
        <message>
            <source>Add its data to the project.</source>
            <translation>请将其数据加入项目。</translation>
        </message>
        <message>
            <source>Add the trace of the device to the project.</source>
            <translation>请将该设备的 trace 加入项目。</translation>
        </message>
        <message>
            <source>Addr</source>
            <translation>地址</translation>
        </message>
        <message>
            <source>Address</source>
            <translation>地址</translation>
        </message>
        <message>
            <source>Adds to the project {name}.</source>
            <translation>将添加到项目 {name}。</translation>
        </message>
        <message>
            <source>Advice</source>
            <translation>专家建议</translation>
        </message>
        <message>
            <source>Affinity API</source>
            <translation>亲和 API</translation>
        </message>
        <message>
            <source>Affinity Optimizer</source>
            <translation>亲和优化器</translation>
        </message>
        <message>
            <source>After</source>
            <translation>之后</translation>
        </message>
        <message>
            <source>After step</source>
            <translation>所在步之后</translation>
        </message>
        <message>
            <source>Against length</source>
            <translation>与长度的关系</translation>
        </message>
        <message>
            <source>Against the cheapest</source>
            <translation>与最省者之比</translation>
        </message>
        <message>
            <source>Against the pinned time A</source>
            <translation>与固定时刻 A 相比</translation>
        </message>
        <message>
            <source>Agents: TTFT 1,000 ms, E2E 10,000 ms</source>
            <translation>智能体：TTFT 1,000 ms，E2E 10,000 ms</translation>
        </message>
        <message>
            <source>Algorithm</source>
            <translation>算法</translation>
        </message>
        <message>
            <source>Alias</source>
            <translation>别名</translation>
        </message>
        <message>
            <source>Alias of {0}</source>
            <translation>{0} 的别名</translation>
        </message>
        <message>
            <source>Align Left</source>
            <translation>左对齐</translation>
        </message>
        <message>
            <source>Align Right</source>
            <translation>右对齐</translation>
        </message>
        <message>
            <source>Align according to selected operator</source>
            <translation>根据选中算子对齐</translation>
        </message>
        <message>
            <source>Align cards by collectives</source>
            <translation>按集合通信对齐各卡</translation>
        </message>
        <message>
            <source>Align cards by collectives…</source>
            <translation>按集合通信对齐各卡…</translation>
        </message>
        <message>
            <source>Align the start of the selected slice with the base slice</source>
            <translation>将选中切片的起点与基准切片对齐</translation>
        </message>
        <message>
            <source>Align to start</source>
            <translation>对齐到起点</translation>
        </message>
        <message>
            <source>Alive after the event</source>
            <translation>该事件之后存活</translation>
        </message>
        <message>
            <source>Alive at the end</source>
            <translation>结束时存活</translation>
        </message>
        <message>
            <source>Alive at the marked time</source>
            <translation>标记时刻存活</translation>
        </message>
        <message>
            <source>Alive at the peak</source>
            <translation>峰值时存活</translation>
        </message>
        <message>
            <source>All</source>
            <translation>全部</translation>
        </message>
        <message>
            <source>All commands have their default keys again.</source>
            <translation>所有命令已恢复默认按键。</translation>
        </message>
        <message>
            <source>All events</source>
            <translation>全部事件</translation>
        </message>
        <message>
            <source>All files</source>
            <translation>所有文件</translation>
        </message>
        <message>
            <source>All gaps</source>
            <translation>空隙总量</translation>
        </message>
        <message>
            <source>All keys</source>
            <translation>全部按键</translation>
        </message>
        <message>
            <source>All lanes</source>
            <translation>全部泳道</translation>
        </message>
        <message>
            <source>All lifetimes of this address</source>
            <translation>该地址的所有生命周期</translation>
        </message>
        <message>
            <source>All rows</source>
            <translation>全部行</translation>
        </message>
        <message>
            <source>All rows are consistent.</source>
            <translation>所有数据行一致。</translation>
        </message>
        <message>
            <source>All runs</source>
            <translation>所有运行</translation>
        </message>
        <message>
            <source>All runs together</source>
            <translation>所有运行合并</translation>
        </message>
        <message>
            <source>All tokens</source>
            <translation>全部 token</translation>
        </message>
        <message>
            <source>Alloc Event ID</source>
            <translation>申请事件 ID</translation>
        </message>
        <message>
            <source>Alloc event</source>
            <translation>申请事件</translation>
        </message>
        <message>
            <source>Alloc event: call stack, innermost first</source>
            <translation>申请事件：调用栈，最内层在前</translation>
        </message>
        <message>
            <source>Alloc/Map event</source>
            <translation>申请/映射事件</translation>
        </message>
        <message>
            <source>Allocated</source>
            <translation>已申请</translation>
        </message>
        <message>
            <source>Allocated Memory</source>
            <translation>内存变化</translation>
        </message>
        <message>
            <source>Allocated by</source>
            <translation>申请者</translation>
        </message>
        <message>
            <source>Allocated in the range</source>
            <translation>区间内申请</translation>
        </message>
        <message>
            <source>Allocated, never freed in the trace, gone at the dump: the free was lost</source>
            <translation>申请后未见释放、转储时已不存在：释放事件丢失</translation>
        </message>
        <message>
            <source>Allocated: memory that PTA and GE handed out to operators</source>
            <translation>Allocated：PTA 和 GE 分配给算子的内存</translation>
        </message>
        <message>
            <source>Allocation Time(ms)</source>
            <translation>申请时间(ms)</translation>
        </message>
        <message>
            <source>Allocation Total Active(MB)</source>
            <translation>申请时总激活(MB)</translation>
        </message>
        <message>
            <source>Allocation Total Allocated(MB)</source>
            <translation>申请时总分配(MB)</translation>
        </message>
        <message>
            <source>Allocation Total Reserved(MB)</source>
            <translation>申请时总预留(MB)</translation>
        </message>
        <message>
            <source>Allocation of an address that lives already: the free between was lost</source>
            <translation>对仍存活地址的申请：其间的释放事件丢失</translation>
        </message>
        <message>
            <source>Allocator</source>
            <translation>内存池状态图</translation>
        </message>
        <message>
            <source>Allocator estimate</source>
            <translation>按分配器估算</translation>
        </message>
        <message>
            <source>Allocator map</source>
            <translation>内存池状态图</translation>
        </message>
        <message>
            <source>Allocator {0}</source>
            <translation>内存池状态（{0}）</translation>
        </message>
        <message>
            <source>Alt+drag</source>
            <translation>Alt+拖动</translation>
        </message>
        <message>
            <source>An average of at least {0} of the best rank means that the links are the limit; less means that they are not used well. Bandwidth Analysis of a rank shows its packets.</source>
            <translation>平均值达到最佳卡的 {0} 及以上，说明链路带宽是瓶颈；低于此值，说明链路没有用好。各卡的带宽分析给出其通信包。</translation>
        </message>
        <message>
            <source>Analyse</source>
            <translation>分析</translation>
        </message>
        <message>
            <source>Analysis Type</source>
            <translation>分析类型</translation>
        </message>
        <message>
            <source>Answer length (tokens)</source>
            <translation>回答长度 (tokens)</translation>
        </message>
        <message>
            <source>Apply</source>
            <translation>应用</translation>
        </message>
        <message>
            <source>Apply Time Range Analysis</source>
            <translation>应用时间范围分析</translation>
        </message>
        <message>
            <source>Area Mark</source>
            <translation>区域标记</translation>
        </message>
        <message>
            <source>Args</source>
            <translation>参数</translation>
        </message>
        <message>
            <source>Arithmetic Intensity</source>
            <translation>算术强度</translation>
        </message>
        <message>
            <source>Arithmetic intensity (Ops/Byte)</source>
            <translation>算术强度 (Ops/Byte)</translation>
        </message>
        <message>
            <source>Arrival</source>
            <translation>到达</translation>
        </message>
        <message>
            <source>Arrow (.arrow)</source>
            <translation>Arrow (.arrow)</translation>
        </message>
        <message>
            <source>As</source>
            <translation>角色</translation>
        </message>
        <message>
            <source>As lane</source>
            <translation>作为泳道</translation>
        </message>
        <message>
            <source>As recorded</source>
            <translation>按记录</translation>
        </message>
        <message>
            <source>As the system</source>
            <translation>跟随系统</translation>
        </message>
        <message>
            <source>As upstream</source>
            <translation>与原工具一致</translation>
        </message>
        <message>
            <source>Ascend HardWare Task Summary</source>
            <translation>Ascend HardWare Task 汇总</translation>
        </message>
        <message>
            <source>Ascend HardWare Task Trace</source>
            <translation>Ascend HardWare Task 明细</translation>
        </message>
        <message>
            <source>At most {0} categories are drawn: the first {0} of the list.</source>
            <translation>最多绘制 {0} 类连线：取列表中的前 {0} 类。</translation>
        </message>
        <message>
            <source>At most {0} lanes can be pinned.</source>
            <translation>最多可置顶 {0} 条泳道。</translation>
        </message>
        <message>
            <source>Attr</source>
            <translation>属性</translation>
        </message>
        <message>
            <source>Attributes</source>
            <translation>属性</translation>
        </message>
        <message>
            <source>Attributes of the lines</source>
            <translation>各行的属性</translation>
        </message>
        <message>
            <source>Auto Fit Unit Height</source>
            <translation>自动适配泳道高度</translation>
        </message>
        <message>
            <source>Average</source>
            <translation>平均值</translation>
        </message>
        <message>
            <source>Average Wall Duration</source>
            <translation>平均持续时间</translation>
        </message>
        <message>
            <source>Average by shape</source>
            <translation>按 Shape 的平均耗时</translation>
        </message>
        <message>
            <source>Average {0} GB/s, best rank {1} GB/s.</source>
            <translation>平均 {0} GB/s，最佳卡 {1} GB/s。</translation>
        </message>
        <message>
            <source>Avg</source>
            <translation>平均</translation>
        </message>
        <message>
            <source>Avg Communication</source>
            <translation>平均通信时间</translation>
        </message>
        <message>
            <source>Avg Size</source>
            <translation>平均大小</translation>
        </message>
        <message>
            <source>Avg Time</source>
            <translation>平均耗时</translation>
        </message>
        <message>
            <source>Avg Time (µs)</source>
            <translation>平均耗时 (µs)</translation>
        </message>
        <message>
            <source>Axis at the right</source>
            <translation>右侧坐标轴</translation>
        </message>
        <message>
            <source>B − A</source>
            <translation>B − A</translation>
        </message>
        <message>
            <source>Back</source>
            <translation>返回</translation>
        </message>
        <message>
            <source>Back to the linked slices</source>
            <translation>返回关联切片</translation>
        </message>
        <message>
            <source>Back to the sizes of the data</source>
            <translation>恢复为数据中的大小</translation>
        </message>
        <message>
            <source>Backend</source>
            <translation>后端</translation>
        </message>
        <message>
            <source>Bandwidth</source>
            <translation>带宽</translation>
        </message>
        <message>
            <source>Bandwidth (GB/s)</source>
            <translation>带宽 (GB/s)</translation>
        </message>
        <message>
            <source>Bandwidth / median bandwidth of all links of the transport</source>
            <translation>带宽 / 该链路方式所有链路的带宽中位数</translation>
        </message>
        <message>
            <source>Bandwidth = Data / Operator Task Duration</source>
            <translation>带宽 = 数据量 / 算子任务耗时</translation>
        </message>
        <message>
            <source>Bandwidth Analysis</source>
            <translation>带宽分析</translation>
        </message>
        <message>
            <source>Bandwidth Contention Analysis</source>
            <translation>带宽抢占分析</translation>
        </message>
        <message>
            <source>Bandwidth is the bottleneck: {0} ≥ {1} GB/s</source>
            <translation>带宽是瓶颈：{0} ≥ {1} GB/s</translation>
        </message>
        <message>
            <source>Bandwidth(GB/s)</source>
            <translation>带宽(GB/s)</translation>
        </message>
        <message>
            <source>Bandwidths of the ranks</source>
            <translation>各卡带宽</translation>
        </message>
        <message>
            <source>Bank {0}</source>
            <translation>Bank {0}</translation>
        </message>
        <message>
            <source>Bank {0}, row {1}</source>
            <translation>Bank {0}，第 {1} 行</translation>
        </message>
        <message>
            <source>Base</source>
            <translation>基线</translation>
        </message>
        <message>
            <source>Base Info</source>
            <translation>基本信息</translation>
        </message>
        <message>
            <source>Baseline</source>
            <translation>基线</translation>
        </message>
        <message>
            <source>Baseline Step</source>
            <translation>基线迭代ID</translation>
        </message>
        <message>
            <source>Batch</source>
            <translation>批大小</translation>
        </message>
        <message>
            <source>Batch size</source>
            <translation>批大小</translation>
        </message>
        <message>
            <source>Batch size, mean</source>
            <translation>批大小均值</translation>
        </message>
        <message>
            <source>Batch tokens</source>
            <translation>Batch token 数</translation>
        </message>
        <message>
            <source>Batches</source>
            <translation>批次</translation>
        </message>
        <message>
            <source>Before</source>
            <translation>之前</translation>
        </message>
        <message>
            <source>Begin with {0}: most time goes there.</source>
            <translation>建议先看 {0}：它用时最多。</translation>
        </message>
        <message>
            <source>Being read</source>
            <translation>正在读取</translation>
        </message>
        <message>
            <source>Between batches</source>
            <translation>批次之间</translation>
        </message>
        <message>
            <source>Between data parallel ranks: raise the batch size or accumulate gradients, so that fewer and larger packets go.</source>
            <translation>数据并行卡之间：增大 batch size 或使用梯度累积，让通信包更少、更大。</translation>
        </message>
        <message>
            <source>Block</source>
            <translation>内存块</translation>
        </message>
        <message>
            <source>Block Detail</source>
            <translation>Block 详情</translation>
        </message>
        <message>
            <source>Block Dim</source>
            <translation>Block Dim</translation>
        </message>
        <message>
            <source>Block ID</source>
            <translation>Block ID</translation>
        </message>
        <message>
            <source>Block Num</source>
            <translation>Block 数</translation>
        </message>
        <message>
            <source>Block View</source>
            <translation>内存块视图</translation>
        </message>
        <message>
            <source>Block chart</source>
            <translation>内存块图</translation>
        </message>
        <message>
            <source>Block size</source>
            <translation>块大小</translation>
        </message>
        <message>
            <source>Block {0}</source>
            <translation>Block {0}</translation>
        </message>
        <message>
            <source>Block {0} (pre #{1})</source>
            <translation>内存块 {0}（录制前 #{1}）</translation>
        </message>
        <message>
            <source>Blocks</source>
            <translation>内存块数</translation>
        </message>
        <message>
            <source>Blocks after</source>
            <translation>之后的块数</translation>
        </message>
        <message>
            <source>Blocks before</source>
            <translation>之前的块数</translation>
        </message>
        <message>
            <source>Blocks from before tracing</source>
            <translation>采集前已存在的内存块</translation>
        </message>
        <message>
            <source>Blocks in the baseline</source>
            <translation>基线块数</translation>
        </message>
        <message>
            <source>Blocks per step</source>
            <translation>每步块数</translation>
        </message>
        <message>
            <source>Blocks taken and given back</source>
            <translation>占用与归还的块</translation>
        </message>
        <message>
            <source>Blocks whose stack ends here</source>
            <translation>调用栈在此结束的内存块</translation>
        </message>
        <message>
            <source>Blocks, difference</source>
            <translation>块数差值</translation>
        </message>
        <message>
            <source>Both dumps hold the same.</source>
            <translation>两个转储内容相同。</translation>
        </message>
        <message>
            <source>Both sides of {0}</source>
            <translation>{0} 的两侧数据</translation>
        </message>
        <message>
            <source>Bottom panel</source>
            <translation>底部面板</translation>
        </message>
        <message>
            <source>Bound by</source>
            <translation>瓶颈</translation>
        </message>
        <message>
            <source>Bubble</source>
            <translation>气泡</translation>
        </message>
        <message>
            <source>Bubble (ms)</source>
            <translation>空泡 (ms)</translation>
        </message>
        <message>
            <source>Bubble ratio</source>
            <translation>气泡占比</translation>
        </message>
        <message>
            <source>Bubble share</source>
            <translation>空泡占比</translation>
        </message>
        <message>
            <source>Bubble {ratio} of all cards' spans</source>
            <translation>气泡占所有卡时间跨度的 {ratio}</translation>
        </message>
        <message>
            <source>Bubbles</source>
            <translation>空泡</translation>
        </message>
        <message>
            <source>Bubble||time</source>
            <translation>空泡时间</translation>
        </message>
        <message>
            <source>Buffer</source>
            <translation>缓冲区</translation>
        </message>
        <message>
            <source>Buffer Life</source>
            <translation>缓冲区生命周期</translation>
        </message>
        <message>
            <source>Buffer Size</source>
            <translation>缓冲区大小</translation>
        </message>
        <message>
            <source>Built with</source>
            <translation>使用的组件</translation>
        </message>
        <message>
            <source>Busy</source>
            <translation>忙碌</translation>
        </message>
        <message>
            <source>Busy (% of the duration)</source>
            <translation>忙碌时间 (占耗时的 %)</translation>
        </message>
        <message>
            <source>By</source>
            <translation>多出</translation>
        </message>
        <message>
            <source>By input shape</source>
            <translation>按输入 Shape</translation>
        </message>
        <message>
            <source>Byte Alignment Analysis</source>
            <translation>字节对齐分析</translation>
        </message>
        <message>
            <source>Bytes times the events for which they are held.</source>
            <translation>字节数乘以占用经过的事件数。</translation>
        </message>
        <message>
            <source>C stacks</source>
            <translation>C 调用栈</translation>
        </message>
        <message>
            <source>CANN API Summary</source>
            <translation>CANN API 汇总</translation>
        </message>
        <message>
            <source>CANN API Trace</source>
            <translation>CANN API 明细</translation>
        </message>
        <message>
            <source>CP-Average communication time difference</source>
            <translation>CP-平均通信时间差值</translation>
        </message>
        <message>
            <source>CPU</source>
            <translation>CPU</translation>
        </message>
        <message>
            <source>CSV (*.csv)</source>
            <translation>CSV (*.csv)</translation>
        </message>
        <message>
            <source>CSV (*.csv);;Tab-separated (*.tsv);;Markdown (*.md);;Arrow (*.arrow);;Parquet (*.parquet)</source>
            <translation>CSV (*.csv);;制表符分隔 (*.tsv);;Markdown (*.md);;Arrow (*.arrow);;Parquet (*.parquet)</translation>
        </message>
        <message>
            <source>CSV (.csv)</source>
            <translation>CSV (.csv)</translation>
        </message>
        <message>
            <source>Cache</source>
            <translation>缓存</translation>
        </message>
        <message>
            <source>Cache Hit Rate(%)</source>
            <translation>缓存命中率(%)</translation>
        </message>
        <message>
            <source>Cache hit</source>
            <translation>缓存命中</translation>
        </message>
        <message>
            <source>Cache hits</source>
            <translation>缓存命中</translation>
        </message>
        <message>
            <source>Cache limit</source>
            <translation>缓存上限</translation>
        </message>
        <message>
            <source>Cache lines</source>
            <translation>缓存行</translation>
        </message>
        <message>
            <source>Cache {used} of {limit}</source>
            <translation>缓存 {used} / {limit}</translation>
        </message>
        <message>
            <source>Cached segments</source>
            <translation>缓存的内存段</translation>
        </message>
        <message>
            <source>Cached segments ({0})</source>
            <translation>缓存的内存段 ({0})</translation>
        </message>
        <message>
            <source>Cached share (%)</source>
            <translation>缓存命中比例 (%)</translation>
        </message>
        <message>
            <source>Cached share of prompts</source>
            <translation>提示词的缓存命中比例</translation>
        </message>
        <message>
            <source>Cacheline ID</source>
            <translation>缓存行 ID</translation>
        </message>
        <message>
            <source>Cacheline ID:{0}</source>
            <translation>缓存行 ID：{0}</translation>
        </message>
        <message>
            <source>Cacheline {0}</source>
            <translation>缓存行 {0}</translation>
        </message>
        <message>
            <source>Caching active</source>
            <translation>缓存池活跃</translation>
        </message>
        <message>
            <source>Caching allocated</source>
            <translation>缓存池已分配</translation>
        </message>
        <message>
            <source>Caching reserved</source>
            <translation>缓存池预留</translation>
        </message>
        <message>
            <source>Call Stack (C)</source>
            <translation>调用栈 (C)</translation>
        </message>
        <message>
            <source>Call Stack (C) of the free</source>
            <translation>释放的调用栈 (C)</translation>
        </message>
        <message>
            <source>Call Stack (C) of the malloc</source>
            <translation>申请的调用栈 (C)</translation>
        </message>
        <message>
            <source>Call Stack (Python)</source>
            <translation>调用栈 (Python)</translation>
        </message>
        <message>
            <source>Call Stack (Python) of the free</source>
            <translation>释放的调用栈 (Python)</translation>
        </message>
        <message>
            <source>Call Stack (Python) of the malloc</source>
            <translation>申请的调用栈 (Python)</translation>
        </message>
        <message>
            <source>Call Stack(C)</source>
            <translation>调用栈 (C)</translation>
        </message>
        <message>
            <source>Call Stack(Python)</source>
            <translation>调用栈 (Python)</translation>
        </message>
        <message>
            <source>Call stack</source>
            <translation>调用栈</translation>
        </message>
        <message>
            <source>Call stack, innermost first</source>
            <translation>调用栈，最内层在前</translation>
        </message>
        <message>
            <source>Call stacks</source>
            <translation>调用栈</translation>
        </message>
        <message>
            <source>Call tree</source>
            <translation>调用树</translation>
        </message>
        <message>
            <source>Calls</source>
            <translation>调用次数</translation>
        </message>
        <message>
            <source>Came last</source>
            <translation>最后到达次数</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>Cannot be read: {0}</source>
            <translation>无法读取：{0}</translation>
        </message>
        <message>
            <source>Capacity {0} blocks.</source>
            <translation>容量 {0} 块。</translation>
        </message>
        <message>
            <source>Captures that were not used for longest go first; your files stay untouched.</source>
            <translation>最久未使用的缓存先删除；您的文件不受影响。</translation>
        </message>
        <message>
            <source>Card</source>
            <translation>卡</translation>
        </message>
        <message>
            <source>Card A (base)</source>
            <translation>卡 A（基准）</translation>
        </message>
        <message>
            <source>Card B</source>
            <translation>卡 B</translation>
        </message>
        <message>
            <source>Card filter</source>
            <translation>卡筛选</translation>
        </message>
        <message>
            <source>Card to search</source>
            <translation>要搜索的卡</translation>
        </message>
        <message>
            <source>Card {0}</source>
            <translation>卡 {0}</translation>
        </message>
        <message>
            <source>Card {0} is not read yet</source>
            <translation>卡 {0} 尚未读取</translation>
        </message>
        <message>
            <source>Card {name}</source>
            <translation>卡 {name}</translation>
        </message>
        <message>
            <source>Card {name}: {message}</source>
            <translation>卡 {name}：{message}</translation>
        </message>
        <message>
            <source>Cards</source>
            <translation>卡</translation>
        </message>
        <message>
            <source>Cards and lanes to show</source>
            <translation>要显示的卡和泳道</translation>
        </message>
        <message>
            <source>Cards of Related Group are being read</source>
            <translation>正在解析相关通信域的卡</translation>
        </message>
        <message>
            <source>Category</source>
            <translation>类别</translation>
        </message>
        <message>
            <source>Cause</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>Causes and evidence</source>
            <translation>原因与证据</translation>
        </message>
        <message>
            <source>Chain</source>
            <translation>调用链</translation>
        </message>
        <message>
            <source>Chains need the Python and CANN lanes of the host and the tasks of the device, with the links between them: activities CPU and NPU, profiler_level Level1 or Level2.</source>
            <translation>调用链需要主机的 Python 和 CANN 泳道、设备任务以及它们之间的连线：activities 包含 CPU 和 NPU，profiler_level 为 Level1 或 Level2。</translation>
        </message>
        <message>
            <source>Change</source>
            <translation>变化</translation>
        </message>
        <message>
            <source>Change keys</source>
            <translation>更改按键</translation>
        </message>
        <message>
            <source>Change keys…</source>
            <translation>更改按键…</translation>
        </message>
        <message>
            <source>Change of the memory by this call; empty where it was not called</source>
            <translation>该调用引起的内存变化；未被调用时为空</translation>
        </message>
        <message>
            <source>Changed</source>
            <translation>修改时间</translation>
        </message>
        <message>
            <source>Chart</source>
            <translation>图</translation>
        </message>
        <message>
            <source>Chat: TTFT 500 ms, TPOT 50 ms</source>
            <translation>聊天：TTFT 500 ms，TPOT 50 ms</translation>
        </message>
        <message>
            <source>Check the network between the hosts: lost packets, flow control, optical modules.</source>
            <translation>检查主机间网络：丢包、流控、光模块。</translation>
        </message>
        <message>
            <source>Check the number of layers and experts.</source>
            <translation>请检查层数和专家数。</translation>
        </message>
        <message>
            <source>Check the time-out and retry settings of RDMA on the hosts.</source>
            <translation>检查主机上 RDMA 的超时时间与重传次数设置。</translation>
        </message>
        <message>
            <source>Checked in groups of 8 or more calls.</source>
            <translation>已在调用不少于 8 次的分组中检查。</translation>
        </message>
        <message>
            <source>Checked in the dp, cp and tp groups, threshold 5 %.</source>
            <translation>已检查 dp、cp 和 tp 通信域，阈值 5 %。</translation>
        </message>
        <message>
            <source>Checked {0} links.</source>
            <translation>已检查 {0} 条链路。</translation>
        </message>
        <message>
            <source>Chip</source>
            <translation>芯片</translation>
        </message>
        <message>
            <source>Choose a block or an event to see everything about it.</source>
            <translation>选择内存块或事件以查看全部信息。</translation>
        </message>
        <message>
            <source>Choose a computing group.</source>
            <translation>请选择计算算子分组。</translation>
        </message>
        <message>
            <source>Choose a folder with the sources, or compile the kernel with -g where the sources are.</source>
            <translation>选择包含源码的文件夹，或在源码所在处用 -g 编译该算子。</translation>
        </message>
        <message>
            <source>Choose a folder with the sources.</source>
            <translation>选择包含源码的文件夹。</translation>
        </message>
        <message>
            <source>Choose a group of ranks here, or click a PP line in the parallel layout.</source>
            <translation>在此选择一组卡，或点击并行布局中的 PP 连线。</translation>
        </message>
        <message>
            <source>Choose a metric of requests.</source>
            <translation>请选择按请求统计的指标。</translation>
        </message>
        <message>
            <source>Choose a name: its slices on A and B stand here side by side.</source>
            <translation>请选择一个名称：A 和 B 上的切片会并排显示在此处。</translation>
        </message>
        <message>
            <source>Choose a profiler output folder, a trace json, a profiler db, or a saved session.</source>
            <translation>请选择 profiler 输出文件夹、trace json、profiler db 或已保存的会话。</translation>
        </message>
        <message>
            <source>Choose a row of the table below.</source>
            <translation>请在下方表格中选择一行。</translation>
        </message>
        <message>
            <source>Choose a run above to compare with.</source>
            <translation>请在上方选择对比的运行。</translation>
        </message>
        <message>
            <source>Choose an idle stretch, a Free slice, or a range.</source>
            <translation>请选择一个空闲时段、Free 切片或范围。</translation>
        </message>
        <message>
            <source>Choose an instruction.</source>
            <translation>请选择一条指令。</translation>
        </message>
        <message>
            <source>Choose another folder.</source>
            <translation>请选择其他文件夹。</translation>
        </message>
        <message>
            <source>Choose another group, or another card.</source>
            <translation>请选择其他分组或其他卡。</translation>
        </message>
        <message>
            <source>Choose another job.</source>
            <translation>请选择其他集群。</translation>
        </message>
        <message>
            <source>Choose another one in Group By.</source>
            <translation>请在“分组方式”中选择其他曲线。</translation>
        </message>
        <message>
            <source>Choose another step or group.</source>
            <translation>请选择其他迭代或通信域。</translation>
        </message>
        <message>
            <source>Choose data sizes that are multiples of {alignment} bytes.</source>
            <translation>调整数据大小为 {alignment} 字节的整数倍。</translation>
        </message>
        <message>
            <source>Choose one or more files or folders. Enter looks for the typed path.</source>
            <translation>选择一个或多个文件或文件夹。按 Enter 定位输入的路径。</translation>
        </message>
        <message>
            <source>Choose one run to compare.</source>
            <translation>请选择单个运行进行对比。</translation>
        </message>
        <message>
            <source>Choose the events that are read</source>
            <translation>选择要读取的事件</translation>
        </message>
        <message>
            <source>Choose the folder that the kernel was compiled in.</source>
            <translation>请选择编译该算子时所用的文件夹。</translation>
        </message>
        <message>
            <source>Choose “Show in Events View” in the context menu of a process, thread or group.</source>
            <translation>在进程、线程或通信组的右键菜单中选择“在事件视图中显示”。</translation>
        </message>
        <message>
            <source>Choose…</source>
            <translation>选择…</translation>
        </message>
        <message>
            <source>Chrome JSON (.json)</source>
            <translation>Chrome JSON (.json)</translation>
        </message>
        <message>
            <source>Chrome JSON, compressed (.json.gz)</source>
            <translation>Chrome JSON，压缩 (.json.gz)</translation>
        </message>
        <message>
            <source>Class {0} ({1})</source>
            <translation>{0} 类 ({1})</translation>
        </message>
        <message>
            <source>Clear</source>
            <translation>清空</translation>
        </message>
        <message>
            <source>Clear base slice</source>
            <translation>清除基准切片</translation>
        </message>
        <message>
            <source>Clear the selection</source>
            <translation>清除选择</translation>
        </message>
        <message>
            <source>Click</source>
            <translation>点击</translation>
        </message>
        <message>
            <source>Click a bar to see its operator.</source>
            <translation>点击色块可查看对应算子。</translation>
        </message>
        <message>
            <source>Click a block of the chart.</source>
            <translation>点击图中的一个内存块。</translation>
        </message>
        <message>
            <source>Click a block, a segment or an event.</source>
            <translation>点击内存块、内存段或事件。</translation>
        </message>
        <message>
            <source>Click a slice in the timeline: its times, args and linked slices are shown here.</source>
            <translation>在时间线中点击一个切片，这里会显示它的时间、参数和相连的切片。</translation>
        </message>
        <message>
            <source>Click a time in the chart to see what lives there.</source>
            <translation>点击图表中的时刻，查看当时存活的内存。</translation>
        </message>
        <message>
            <source>Click below the time axis</source>
            <translation>单击时间轴下方</translation>
        </message>
        <message>
            <source>Click to Timeline</source>
            <translation>跳转到时间线</translation>
        </message>
        <message>
            <source>Click: the request nearest to P90</source>
            <translation>单击：最接近 P90 的请求</translation>
        </message>
        <message>
            <source>Clock ahead by</source>
            <translation>时钟超前</translation>
        </message>
        <message>
            <source>Clock ahead of the others</source>
            <translation>时钟超前量</translation>
        </message>
        <message>
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <source>Close all</source>
            <translation>关闭全部</translation>
        </message>
        <message>
            <source>Close details</source>
            <translation>关闭详情</translation>
        </message>
        <message>
            <source>Close others</source>
            <translation>关闭其他</translation>
        </message>
        <message>
            <source>Close panel</source>
            <translation>关闭面板</translation>
        </message>
        <message>
            <source>Close project</source>
            <translation>关闭项目</translation>
        </message>
        <message>
            <source>Close to the right</source>
            <translation>关闭右侧</translation>
        </message>
        <message>
            <source>Cluster</source>
            <translation>集群</translation>
        </message>
        <message>
            <source>Code completion: TTFT 200 ms, TPOT 30 ms</source>
            <translation>代码补全：TTFT 200 ms，TPOT 30 ms</translation>
        </message>
        <message>
            <source>Collapse</source>
            <translation>折叠</translation>
        </message>
        <message>
            <source>Collapse all</source>
            <translation>全部折叠</translation>
        </message>
        <message>
            <source>Collapse or expand</source>
            <translation>折叠或展开</translation>
        </message>
        <message>
            <source>Collapse tools</source>
            <translation>收起工具</translation>
        </message>
        <message>
            <source>Collect with a schedule to get steps.</source>
            <translation>采集时设置 schedule 才有迭代。</translation>
        </message>
        <message>
            <source>Collect with the events alloc and free to see blocks and curves.</source>
            <translation>采集时打开 alloc 和 free 事件即可看到内存块和曲线。</translation>
        </message>
        <message>
            <source>Collector tags</source>
            <translation>采集器标签</translation>
        </message>
        <message>
            <source>Collector's comparison</source>
            <translation>采集工具对比</translation>
        </message>
        <message>
            <source>Colour by</source>
            <translation>着色依据</translation>
        </message>
        <message>
            <source>Colour by…</source>
            <translation>着色依据…</translation>
        </message>
        <message>
            <source>Colour in the trace</source>
            <translation>轨迹中的颜色</translation>
        </message>
        <message>
            <source>Colour of blocks</source>
            <translation>内存块颜色</translation>
        </message>
        <message>
            <source>Colour of the flag</source>
            <translation>标记的颜色</translation>
        </message>
        <message>
            <source>Colour slices by name, type, card or duration</source>
            <translation>按名称、类型、卡或时长着色</translation>
        </message>
        <message>
            <source>Colour: address</source>
            <translation>颜色：地址</translation>
        </message>
        <message>
            <source>Colour: call stack</source>
            <translation>颜色：调用栈</translation>
        </message>
        <message>
            <source>Colour: category</source>
            <translation>颜色：类别</translation>
        </message>
        <message>
            <source>Colour: size class</source>
            <translation>颜色：大小</translation>
        </message>
        <message>
            <source>Colour: stream</source>
            <translation>颜色：流</translation>
        </message>
        <message>
            <source>Colours</source>
            <translation>颜色</translation>
        </message>
        <message>
            <source>Colours for colour-blind eyes</source>
            <translation>色盲友好配色</translation>
        </message>
        <message>
            <source>Colours from {0} to {1} {2}</source>
            <translation>颜色范围 {0} 至 {1} {2}</translation>
        </message>
        <message>
            <source>Colours that are safe for colour-blind eyes</source>
            <translation>使用色盲友好的颜色</translation>
        </message>
        <message>
            <source>Column</source>
            <translation>列</translation>
        </message>
        <message>
            <source>Columns</source>
            <translation>列</translation>
        </message>
        <message>
            <source>Comm</source>
            <translation>Comm</translation>
        </message>
        <message>
            <source>Command</source>
            <translation>命令</translation>
        </message>
        <message>
            <source>Command palette</source>
            <translation>命令面板</translation>
        </message>
        <message>
            <source>Command palette…</source>
            <translation>命令面板…</translation>
        </message>
        <message>
            <source>Commands</source>
            <translation>命令</translation>
        </message>
        <message>
            <source>Communication</source>
            <translation>通信</translation>
        </message>
        <message>
            <source>Communication Detail</source>
            <translation>通信详情</translation>
        </message>
        <message>
            <source>Communication Group</source>
            <translation>通信域</translation>
        </message>
        <message>
            <source>Communication Matrix</source>
            <translation>通信矩阵</translation>
        </message>
        <message>
            <source>Communication Operator</source>
            <translation>通信算子</translation>
        </message>
        <message>
            <source>Communication Operator Type</source>
            <translation>通信算子类型</translation>
        </message>
        <message>
            <source>Communication Operators Details</source>
            <translation>通信算子详情</translation>
        </message>
        <message>
            <source>Communication Ratio</source>
            <translation>通信占比</translation>
        </message>
        <message>
            <source>Communication Retransmission Analysis</source>
            <translation>通信重传分析</translation>
        </message>
        <message>
            <source>Communication Summary</source>
            <translation>通信汇总</translation>
        </message>
        <message>
            <source>Communication Trace</source>
            <translation>通信明细</translation>
        </message>
        <message>
            <source>Communication efficiency is low: {0} &lt; {1} GB/s</source>
            <translation>通信效率低：{0} &lt; {1} GB/s</translation>
        </message>
        <message>
            <source>Communication has nothing to show</source>
            <translation>通信页面没有可显示的内容</translation>
        </message>
        <message>
            <source>Communication operators have no input shapes. Choose a computing group.</source>
            <translation>通信算子没有输入 Shape，请选择计算算子分组。</translation>
        </message>
        <message>
            <source>Communication operators use no pipes.</source>
            <translation>通信算子不使用流水线。</translation>
        </message>
        <message>
            <source>Communication time</source>
            <translation>通信耗时</translation>
        </message>
        <message>
            <source>Communication time per rank</source>
            <translation>各卡通信时长</translation>
        </message>
        <message>
            <source>Communication(Not Overlapped and Exclude Receive)</source>
            <translation>通信时间（未重叠且不含接收）</translation>
        </message>
        <message>
            <source>Communication(Not Overlapped)</source>
            <translation>通信时间（未重叠部分）</translation>
        </message>
        <message>
            <source>Communication(Not Overlapped) Durations</source>
            <translation>通信（未重叠）时长</translation>
        </message>
        <message>
            <source>Communication(Overlapped) Durations</source>
            <translation>通信（重叠）时长</translation>
        </message>
        <message>
            <source>Communication||time</source>
            <translation>通信时间</translation>
        </message>
        <message>
            <source>Compare</source>
            <translation>对比</translation>
        </message>
        <message>
            <source>Compare two cards (A/B)</source>
            <translation>对比两张卡 (A/B)</translation>
        </message>
        <message>
            <source>Compare with</source>
            <translation>对比对象</translation>
        </message>
        <message>
            <source>Compare…</source>
            <translation>对比…</translation>
        </message>
        <message>
            <source>Comparison</source>
            <translation>对比</translation>
        </message>
        <message>
            <source>Compile Failed</source>
            <translation>编译失败</translation>
        </message>
        <message>
            <source>Compile Success</source>
            <translation>编译成功</translation>
        </message>
        <message>
            <source>Compile context</source>
            <translation>编译上下文</translation>
        </message>
        <message>
            <source>Compile the kernel with -g and collect it again.</source>
            <translation>用 -g 编译该算子并重新采集。</translation>
        </message>
        <message>
            <source>Component</source>
            <translation>组件</translation>
        </message>
        <message>
            <source>Component: reserved, allocated and active memory per component</source>
            <translation>组件：每个组件的预留、分配和激活内存</translation>
        </message>
        <message>
            <source>Computation/Communication Overview</source>
            <translation>计算/通信概览</translation>
        </message>
        <message>
            <source>Compute Workload Analysis</source>
            <translation>计算负载分析</translation>
        </message>
        <message>
            <source>Compute bound</source>
            <translation>计算瓶颈</translation>
        </message>
        <message>
            <source>Computing</source>
            <translation>计算时间</translation>
        </message>
        <message>
            <source>Computing Detail</source>
            <translation>计算详情</translation>
        </message>
        <message>
            <source>Computing Operator</source>
            <translation>计算算子</translation>
        </message>
        <message>
            <source>Computing Operator Name and Input Shape</source>
            <translation>计算算子名称和输入Shape</translation>
        </message>
        <message>
            <source>Computing Operator Type</source>
            <translation>计算算子类型</translation>
        </message>
        <message>
            <source>Computing Ratio</source>
            <translation>计算占比</translation>
        </message>
        <message>
            <source>Computing time</source>
            <translation>计算耗时</translation>
        </message>
        <message>
            <source>Computing(Not Overlapped)</source>
            <translation>计算时间（未重叠部分）</translation>
        </message>
        <message>
            <source>Computing, communication and free time come from the process Overlap Analysis of trace_view.json or the table OVERLAP_ANALYSIS; the profiler writes them when device tasks were recorded and analysed.</source>
            <translation>计算、通信和空闲时间来自 trace_view.json 的 Overlap Analysis 进程或 OVERLAP_ANALYSIS 表；采集并解析设备任务后由性能采集工具写出。</translation>
        </message>
        <message>
            <source>Computing, communication and free time show nothing unusual.</source>
            <translation>计算、通信和空闲时间均无异常。</translation>
        </message>
        <message>
            <source>Computing, communication and free time; shares are of Computing + Communication(Not Overlapped) + Free.</source>
            <translation>计算、通信与空闲时间；占比以 Computing + Communication(Not Overlapped) + Free 为分母。</translation>
        </message>
        <message>
            <source>Computing_Communication Overlapped</source>
            <translation>计算通信间重叠时间</translation>
        </message>
        <message>
            <source>Computing…</source>
            <translation>计算中…</translation>
        </message>
        <message>
            <source>Conclusion</source>
            <translation>结论</translation>
        </message>
        <message>
            <source>Concurrency</source>
            <translation>并发数</translation>
        </message>
        <message>
            <source>Confidence</source>
            <translation>可信度</translation>
        </message>
        <message>
            <source>Confirm</source>
            <translation>确定</translation>
        </message>
        <message>
            <source>Consecutive operators of one stream that one fused operator can do: {n} sequences are known.</source>
            <translation>同一流上可由一个融合算子完成的连续算子：已知 {n} 种序列。</translation>
        </message>
        <message>
            <source>Context Parallelism</source>
            <translation>上下文并行</translation>
        </message>
        <message>
            <source>Context Switch Count</source>
            <translation>上下文切换次数</translation>
        </message>
        <message>
            <source>Context menu</source>
            <translation>右键菜单</translation>
        </message>
        <message>
            <source>Continue</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>Copied</source>
            <translation>已复制</translation>
        </message>
        <message>
            <source>Copies</source>
            <translation>拷贝</translation>
        </message>
        <message>
            <source>Copies by stream and kind with times and sizes. Click a row to see its copies.</source>
            <translation>按流和类型统计拷贝的耗时和大小。点击一行查看其拷贝。</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>Copy address</source>
            <translation>复制地址</translation>
        </message>
        <message>
            <source>Copy all as JSON</source>
            <translation>全部复制为 JSON</translation>
        </message>
        <message>
            <source>Copy all as folded stacks</source>
            <translation>全部复制为折叠调用栈</translation>
        </message>
        <message>
            <source>Copy as text</source>
            <translation>复制为文本</translation>
        </message>
        <message>
            <source>Copy attributes</source>
            <translation>复制属性</translation>
        </message>
        <message>
            <source>Copy cell</source>
            <translation>复制单元格</translation>
        </message>
        <message>
            <source>Copy name</source>
            <translation>复制名称</translation>
        </message>
        <message>
            <source>Copy numbers</source>
            <translation>复制数值</translation>
        </message>
        <message>
            <source>Copy picture</source>
            <translation>复制图片</translation>
        </message>
        <message>
            <source>Copy report</source>
            <translation>复制报告</translation>
        </message>
        <message>
            <source>Copy rows</source>
            <translation>复制行</translation>
        </message>
        <message>
            <source>Copy rows as CSV</source>
            <translation>将行复制为 CSV</translation>
        </message>
        <message>
            <source>Copy rows as Markdown</source>
            <translation>将行复制为 Markdown</translation>
        </message>
        <message>
            <source>Copy stack</source>
            <translation>复制调用栈</translation>
        </message>
        <message>
            <source>Copy table</source>
            <translation>复制表格</translation>
        </message>
        <message>
            <source>Copy table without filters</source>
            <translation>复制表格（不含筛选）</translation>
        </message>
        <message>
            <source>Copy this message</source>
            <translation>复制此消息</translation>
        </message>
        <message>
            <source>Copy value</source>
            <translation>复制值</translation>
        </message>
        <message>
            <source>Copy what the tab shows</source>
            <translation>复制此页内容</translation>
        </message>
        <message>
            <source>Core</source>
            <translation>核</translation>
        </message>
        <message>
            <source>Core Occupancy</source>
            <translation>核间负载</translation>
        </message>
        <message>
            <source>Core {0} was not used</source>
            <translation>核 {0} 未被使用</translation>
        </message>
        <message>
            <source>Cost</source>
            <translation>多耗时间</translation>
        </message>
        <message>
            <source>Cost of a step</source>
            <translation>单步开销</translation>
        </message>
        <message>
            <source>Cost per step</source>
            <translation>每迭代代价</translation>
        </message>
        <message>
            <source>Count</source>
            <translation>次数</translation>
        </message>
        <message>
            <source>Count (A)</source>
            <translation>次数 (A)</translation>
        </message>
        <message>
            <source>Count (B)</source>
            <translation>次数 (B)</translation>
        </message>
        <message>
            <source>Count from the first task</source>
            <translation>从第一个任务开始计时</translation>
        </message>
        <message>
            <source>Counter</source>
            <translation>计数器</translation>
        </message>
        <message>
            <source>Counters are as the database has them: times in ns, sizes in bytes, bandwidth in Byte/s, frequency in MHz.</source>
            <translation>计数器按数据库原值显示：时间单位 ns，大小单位字节，带宽单位 Byte/s，频率单位 MHz。</translation>
        </message>
        <message>
            <source>Counters of the range</source>
            <translation>范围内的计数器</translation>
        </message>
        <message>
            <source>Counters of the selection go along (Chrome JSON)</source>
            <translation>同时导出选中的计数器（Chrome JSON）</translation>
        </message>
        <message>
            <source>Critical Path</source>
            <translation>关键路径</translation>
        </message>
        <message>
            <source>Ctrl+drag, or pan mode</source>
            <translation>Ctrl+拖动，或平移模式</translation>
        </message>
        <message>
            <source>Ctrl+→ and Ctrl+← go from step to step</source>
            <translation>Ctrl+→ 与 Ctrl+← 逐步跳转</translation>
        </message>
        <message>
            <source>Cube Ratio = Cube Cycle / Total Cycle</source>
            <translation>Cube 占比 = Cube 周期 / 总周期</translation>
        </message>
        <message>
            <source>Cube active</source>
            <translation>Cube 活跃</translation>
        </message>
        <message>
            <source>Cumulative</source>
            <translation>累计</translation>
        </message>
        <message>
            <source>Current Time: {0}</source>
            <translation>当前时间：{0}</translation>
        </message>
        <message>
            <source>Current Time: {time}</source>
            <translation>当前时刻：{time}</translation>
        </message>
        <message>
            <source>Cursor {time}</source>
            <translation>光标 {time}</translation>
        </message>
        <message>
            <source>Curve</source>
            <translation>曲线</translation>
        </message>
        <message>
            <source>Curve Data</source>
            <translation>曲线数据</translation>
        </message>
        <message>
            <source>Curve Description: {0}</source>
            <translation>曲线说明：{0}</translation>
        </message>
        <message>
            <source>Custom</source>
            <translation>自定义</translation>
        </message>
        <message>
            <source>Cycle</source>
            <translation>周期</translation>
        </message>
        <message>
            <source>Cycles</source>
            <translation>周期数</translation>
        </message>
        <message>
            <source>Cycles Baseline</source>
            <translation>基线周期</translation>
        </message>
        <message>
            <source>Cycles Compare</source>
            <translation>对比周期</translation>
        </message>
        <message>
            <source>DP</source>
            <translation>DP</translation>
        </message>
        <message>
            <source>DP-Average communication time difference</source>
            <translation>DP-平均通信时间差值</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <source>Data</source>
            <translation>数据</translation>
        </message>
        <message>
            <source>Data Analysis of Communication Time</source>
            <translation>通信时长数据分析</translation>
        </message>
        <message>
            <source>Data Parallelism</source>
            <translation>数据并行</translation>
        </message>
        <message>
            <source>Data Version</source>
            <translation>数据类型</translation>
        </message>
        <message>
            <source>Data Volume(byte)</source>
            <translation>数据量(byte)</translation>
        </message>
        <message>
            <source>Data panel</source>
            <translation>数据面板</translation>
        </message>
        <message>
            <source>Data quality</source>
            <translation>数据质量</translation>
        </message>
        <message>
            <source>Decode</source>
            <translation>Decode</translation>
        </message>
        <message>
            <source>Decode interference</source>
            <translation>Decode 干扰</translation>
        </message>
        <message>
            <source>Decode speed</source>
            <translation>Decode 速度</translation>
        </message>
        <message>
            <source>Default</source>
            <translation>默认</translation>
        </message>
        <message>
            <source>Default: {keys}</source>
            <translation>默认：{keys}</translation>
        </message>
        <message>
            <source>Delayed Free Threshold</source>
            <translation>延迟释放阈值</translation>
        </message>
        <message>
            <source>Delayed requests</source>
            <translation>受影响请求数</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>删除</translation>
        </message>
        <message>
            <source>Delete card {name} from the project?</source>
            <translation>从项目中删除卡 {name}？</translation>
        </message>
        <message>
            <source>Delete flag</source>
            <translation>删除标记</translation>
        </message>
        <message>
            <source>Delete several…</source>
            <translation>批量删除…</translation>
        </message>
        <message>
            <source>Delete the project {name}?</source>
            <translation>删除项目 {name}？</translation>
        </message>
        <message>
            <source>Delete {count} entries?</source>
            <translation>删除 {count} 个条目？</translation>
        </message>
        <message>
            <source>Delete…</source>
            <translation>删除…</translation>
        </message>
        <message>
            <source>Delta</source>
            <translation>变化量</translation>
        </message>
        <message>
            <source>Dense Layer List</source>
            <translation>非MoE层列表</translation>
        </message>
        <message>
            <source>Depth</source>
            <translation>深度</translation>
        </message>
        <message>
            <source>Derived from events</source>
            <translation>由事件推导</translation>
        </message>
        <message>
            <source>Detail</source>
            <translation>细节</translation>
        </message>
        <message>
            <source>Detail: how many of the largest blocks are drawn in colour</source>
            <translation>细节：以彩色绘制多少个最大的内存块</translation>
        </message>
        <message>
            <source>Details</source>
            <translation>详情</translation>
        </message>
        <message>
            <source>Details as JSON…</source>
            <translation>详情（JSON）…</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>Device ID</source>
            <translation>设备 ID</translation>
        </message>
        <message>
            <source>Device Id</source>
            <translation>设备 ID</translation>
        </message>
        <message>
            <source>Device busy</source>
            <translation>设备繁忙</translation>
        </message>
        <message>
            <source>Device count</source>
            <translation>设备数</translation>
        </message>
        <message>
            <source>Device free</source>
            <translation>设备空闲</translation>
        </message>
        <message>
            <source>Device memory free</source>
            <translation>设备空闲内存</translation>
        </message>
        <message>
            <source>Device tasks are recorded when the activities of the profiler include NPU.</source>
            <translation>性能采集的 activities 包含 NPU 时才会记录设备任务。</translation>
        </message>
        <message>
            <source>Device tasks named aclnn… whose name occurs {n} times or oftener in the whole data.</source>
            <translation>名称以 aclnn 开头、在全部数据中出现 {n} 次及以上的设备任务。</translation>
        </message>
        <message>
            <source>Diagnosis</source>
            <translation>诊断</translation>
        </message>
        <message>
            <source>Diagnosis of</source>
            <translation>诊断对象</translation>
        </message>
        <message>
            <source>Diagnosis of this rank</source>
            <translation>诊断该卡</translation>
        </message>
        <message>
            <source>Diff Memory</source>
            <translation>内存差异</translation>
        </message>
        <message>
            <source>Difference</source>
            <translation>差值</translation>
        </message>
        <message>
            <source>Difference (µs)</source>
            <translation>差值 (µs)</translation>
        </message>
        <message>
            <source>Difference of the total time</source>
            <translation>总耗时差异</translation>
        </message>
        <message>
            <source>Differences</source>
            <translation>差异</translation>
        </message>
        <message>
            <source>Different</source>
            <translation>不同</translation>
        </message>
        <message>
            <source>Differs</source>
            <translation>不一致</translation>
        </message>
        <message>
            <source>Dim everything outside the selected slice, or no longer</source>
            <translation>淡化选中切片以外的内容，或取消</translation>
        </message>
        <message>
            <source>Dispatch and combine</source>
            <translation>分发与合并</translation>
        </message>
        <message>
            <source>Dispatch of the next task</source>
            <translation>下一任务的调度</translation>
        </message>
        <message>
            <source>Distance</source>
            <translation>距离</translation>
        </message>
        <message>
            <source>Distribution</source>
            <translation>分布</translation>
        </message>
        <message>
            <source>Distributions</source>
            <translation>分布</translation>
        </message>
        <message>
            <source>Drafted</source>
            <translation>草稿</translation>
        </message>
        <message>
            <source>Drag</source>
            <translation>拖动</translation>
        </message>
        <message>
            <source>Drag in slice selection mode</source>
            <translation>在切片选择模式下拖动</translation>
        </message>
        <message>
            <source>Drag over lanes in the timeline: count, sum, busy time and gaps of what lies inside are shown here.</source>
            <translation>在时间线的泳道上拖选，这里会显示范围内的次数、合计、忙碌时间和间隔。</translation>
        </message>
        <message>
            <source>Drag over lanes in the timeline: their slices are listed here by name, with sums and percentiles.</source>
            <translation>在时间线的泳道上拖动：此处按名称列出其切片及总和与百分位数。</translation>
        </message>
        <message>
            <source>Drag pans</source>
            <translation>拖动平移</translation>
        </message>
        <message>
            <source>Drag pans instead of selecting, or no longer</source>
            <translation>切换：拖动平移或拖动选择</translation>
        </message>
        <message>
            <source>Drag selects</source>
            <translation>拖动框选</translation>
        </message>
        <message>
            <source>Drag zooms in; off locks the chart</source>
            <translation>拖动放大；关闭则锁定图表</translation>
        </message>
        <message>
            <source>Draw the rows as a lane of the timeline; they need ts_ns and dur_ns</source>
            <translation>将结果绘制为时间线泳道；需要 ts_ns 与 dur_ns</translation>
        </message>
        <message>
            <source>Drawn as the lane {0}.</source>
            <translation>已绘制为泳道 {0}。</translation>
        </message>
        <message>
            <source>Drop</source>
            <translation>降幅</translation>
        </message>
        <message>
            <source>Drop files or folders here</source>
            <translation>将文件或文件夹拖到此处</translation>
        </message>
        <message>
            <source>Drop the interval</source>
            <translation>取消区间</translation>
        </message>
        <message>
            <source>Dst Rank Id</source>
            <translation>目的卡序号</translation>
        </message>
        <message>
            <source>Dump</source>
            <translation>转储</translation>
        </message>
        <message>
            <source>Dump balanced</source>
            <translation>Dump-均衡后</translation>
        </message>
        <message>
            <source>Dump unbalanced</source>
            <translation>Dump-均衡前</translation>
        </message>
        <message>
            <source>Duration</source>
            <translation>持续时间</translation>
        </message>
        <message>
            <source>Duration (A)</source>
            <translation>时长 (A)</translation>
        </message>
        <message>
            <source>Duration (B)</source>
            <translation>时长 (B)</translation>
        </message>
        <message>
            <source>Duration (ms)</source>
            <translation>持续时间 (ms)</translation>
        </message>
        <message>
            <source>Duration (ms) · drag to select slices</source>
            <translation>持续时间 (ms) · 拖动以选择切片</translation>
        </message>
        <message>
            <source>Duration (µs)</source>
            <translation>耗时 (µs)</translation>
        </message>
        <message>
            <source>Duration (μs)</source>
            <translation>耗时 (μs)</translation>
        </message>
        <message>
            <source>Duration above the median of its group</source>
            <translation>超出同组中位数的耗时</translation>
        </message>
        <message>
            <source>Duration among its name</source>
            <translation>同名中的时长</translation>
        </message>
        <message>
            <source>Duration(ms)</source>
            <translation>持续时间(ms)</translation>
        </message>
        <message>
            <source>Duration(μs)</source>
            <translation>耗时(μs)</translation>
        </message>
        <message>
            <source>Durations</source>
            <translation>时长</translation>
        </message>
        <message>
            <source>E2E</source>
            <translation>E2E</translation>
        </message>
        <message>
            <source>E2E Time</source>
            <translation>端到端时间</translation>
        </message>
        <message>
            <source>E2E recorded</source>
            <translation>E2E 记录值</translation>
        </message>
        <message>
            <source>E2E ÷ tokens</source>
            <translation>E2E ÷ token 数</translation>
        </message>
        <message>
            <source>Edit</source>
            <translation>编辑</translation>
        </message>
        <message>
            <source>Effect</source>
            <translation>影响</translation>
        </message>
        <message>
            <source>Elapsed Time</source>
            <translation>总时间</translation>
        </message>
        <message>
            <source>Elapsed Time Difference</source>
            <translation>耗时差值</translation>
        </message>
        <message>
            <source>Elapsed Time on Current Rank</source>
            <translation>在当前卡中的耗时</translation>
        </message>
        <message>
            <source>Elapsed Time on Fastest Rank</source>
            <translation>在最快卡中的耗时</translation>
        </message>
        <message>
            <source>Elapsed Time: {0} ms</source>
            <translation>总时间：{0} ms</translation>
        </message>
        <message>
            <source>Elements</source>
            <translation>元素数</translation>
        </message>
        <message>
            <source>Empty or 0 switches a threshold off; 100 % too. A block is tagged when either is exceeded.</source>
            <translation>为空或 0 时关闭该阈值，100 % 同样关闭。任一阈值被超过即标记该内存块。</translation>
        </message>
        <message>
            <source>End</source>
            <translation>结束</translation>
        </message>
        <message>
            <source>End the comparison</source>
            <translation>结束对比</translation>
        </message>
        <message>
            <source>Ended requests that meet all limits, per second</source>
            <translation>每秒满足全部限制的完成请求数</translation>
        </message>
        <message>
            <source>Engine busy</source>
            <translation>引擎忙碌</translation>
        </message>
        <message>
            <source>Enlarge</source>
            <translation>放大</translation>
        </message>
        <message>
            <source>Enlarge one of the sizes.</source>
            <translation>请增大其中一个大小。</translation>
        </message>
        <message>
            <source>Enqueue Time</source>
            <translation>入队时间</translation>
        </message>
        <message>
            <source>Enter PP, TP, CP, DP and EP above and press Generate: the layout and its groups appear here.</source>
            <translation>请在上方输入 PP、TP、CP、DP 和 EP 并点击“生成”：布局及其通信域将显示在此处。</translation>
        </message>
        <message>
            <source>Enter them above and press Generate.</source>
            <translation>请在上方输入并点击“生成”。</translation>
        </message>
        <message>
            <source>Error</source>
            <translation>错误</translation>
        </message>
        <message>
            <source>Error Info</source>
            <translation>错误信息</translation>
        </message>
        <message>
            <source>Event</source>
            <translation>事件</translation>
        </message>
        <message>
            <source>Event Type</source>
            <translation>事件类型</translation>
        </message>
        <message>
            <source>Event View</source>
            <translation>内存事件视图</translation>
        </message>
        <message>
            <source>Event index</source>
            <translation>事件序号</translation>
        </message>
        <message>
            <source>Event of the base</source>
            <translation>基线的事件</translation>
        </message>
        <message>
            <source>Event {0}</source>
            <translation>事件 {0}</translation>
        </message>
        <message>
            <source>Events</source>
            <translation>事件</translation>
        </message>
        <message>
            <source>Events View</source>
            <translation>事件视图</translation>
        </message>
        <message>
            <source>Events waited</source>
            <translation>等待的事件数</translation>
        </message>
        <message>
            <source>Every block of the range was freed in it.</source>
            <translation>区间内申请的内存块均已在区间内释放。</translation>
        </message>
        <message>
            <source>Every group takes the same time.</source>
            <translation>各分组耗时相同。</translation>
        </message>
        <message>
            <source>Every kernel of the device with type, core, times, shapes and formats.</source>
            <translation>设备上的每个 kernel 及其类型、核、时间、形状和格式。</translation>
        </message>
        <message>
            <source>Every operator moves multiples of {alignment} bytes.</source>
            <translation>所有算子的传输大小都是 {alignment} 字节的整数倍。</translation>
        </message>
        <message>
            <source>Every slice of a lane and of what stands below it.</source>
            <translation>一条泳道及其下级的全部切片。</translation>
        </message>
        <message>
            <source>Every slice of the layer, longest first.</source>
            <translation>该层的全部切片，最长的在前。</translation>
        </message>
        <message>
            <source>Evidence</source>
            <translation>证据</translation>
        </message>
        <message>
            <source>Examples</source>
            <translation>示例</translation>
        </message>
        <message>
            <source>Excess</source>
            <translation>额外时间</translation>
        </message>
        <message>
            <source>Execution</source>
            <translation>执行</translation>
        </message>
        <message>
            <source>Execution (ms)</source>
            <translation>执行 (ms)</translation>
        </message>
        <message>
            <source>Expand</source>
            <translation>展开</translation>
        </message>
        <message>
            <source>Expand all</source>
            <translation>全部展开</translation>
        </message>
        <message>
            <source>Expert Analysis</source>
            <translation>专家分析</translation>
        </message>
        <message>
            <source>Expert Id</source>
            <translation>专家 ID</translation>
        </message>
        <message>
            <source>Expert Index</source>
            <translation>专家序号</translation>
        </message>
        <message>
            <source>Expert Num</source>
            <translation>专家数</translation>
        </message>
        <message>
            <source>Expert Parallelism</source>
            <translation>专家并行</translation>
        </message>
        <message>
            <source>Expert System View</source>
            <translation>专家系统视图</translation>
        </message>
        <message>
            <source>Expert load</source>
            <translation>专家负载</translation>
        </message>
        <message>
            <source>Export</source>
            <translation>导出</translation>
        </message>
        <message>
            <source>Export Successful.</source>
            <translation>导出成功。</translation>
        </message>
        <message>
            <source>Export all requests…</source>
            <translation>导出全部请求…</translation>
        </message>
        <message>
            <source>Export all rows…</source>
            <translation>导出全部行…</translation>
        </message>
        <message>
            <source>Export and copy</source>
            <translation>导出和复制</translation>
        </message>
        <message>
            <source>Export chart</source>
            <translation>导出图表</translation>
        </message>
        <message>
            <source>Export chart…</source>
            <translation>导出图表…</translation>
        </message>
        <message>
            <source>Export details</source>
            <translation>导出详情</translation>
        </message>
        <message>
            <source>Export flame graph</source>
            <translation>导出火焰图</translation>
        </message>
        <message>
            <source>Export picture</source>
            <translation>导出图片</translation>
        </message>
        <message>
            <source>Export picture…</source>
            <translation>导出图片…</translation>
        </message>
        <message>
            <source>Export requests as shown…</source>
            <translation>导出当前显示的请求…</translation>
        </message>
        <message>
            <source>Export rows as shown…</source>
            <translation>导出当前显示的行…</translation>
        </message>
        <message>
            <source>Export selection</source>
            <translation>导出选中内容</translation>
        </message>
        <message>
            <source>Export selection…</source>
            <translation>导出选中内容…</translation>
        </message>
        <message>
            <source>Export snapshot</source>
            <translation>导出快照</translation>
        </message>
        <message>
            <source>Export table</source>
            <translation>导出表格</translation>
        </message>
        <message>
            <source>Export table…</source>
            <translation>导出表格…</translation>
        </message>
        <message>
            <source>Exported: {0}</source>
            <translation>已导出：{0}</translation>
        </message>
        <message>
            <source>Export…</source>
            <translation>导出…</translation>
        </message>
        <message>
            <source>FREE of a block from before tracing</source>
            <translation>释放采集前已存在内存块的 FREE</translation>
        </message>
        <message>
            <source>FREE without a MALLOC</source>
            <translation>没有 MALLOC 的 FREE</translation>
        </message>
        <message>
            <source>FREE without a device</source>
            <translation>没有设备的 FREE</translation>
        </message>
        <message>
            <source>Factor</source>
            <translation>倍数</translation>
        </message>
        <message>
            <source>Facts of the request</source>
            <translation>请求信息</translation>
        </message>
        <message>
            <source>Facts of the slice</source>
            <translation>切片信息</translation>
        </message>
        <message>
            <source>Failed to find slice in timeline</source>
            <translation>未能在时间线中找到切片</translation>
        </message>
        <message>
            <source>Fastest rank: {0}, {1} ms</source>
            <translation>最快卡：{0}，{1} ms</translation>
        </message>
        <message>
            <source>Figure</source>
            <translation>指标</translation>
        </message>
        <message>
            <source>Figures</source>
            <translation>指标</translation>
        </message>
        <message>
            <source>Figures of the lines</source>
            <translation>各系列的统计值</translation>
        </message>
        <message>
            <source>File</source>
            <translation>文件</translation>
        </message>
        <message>
            <source>File path: {0}</source>
            <translation>文件路径：{0}</translation>
        </message>
        <message>
            <source>Files ignored</source>
            <translation>忽略的文件</translation>
        </message>
        <message>
            <source>Files ignored ({count})</source>
            <translation>忽略的文件 ({count})</translation>
        </message>
        <message>
            <source>Filter</source>
            <translation>筛选</translation>
        </message>
        <message>
            <source>Filter Inefficient Memory Blocks</source>
            <translation>过滤低效显存</translation>
        </message>
        <message>
            <source>Filter cards and lanes</source>
            <translation>筛选卡和泳道</translation>
        </message>
        <message>
            <source>Filter cards, hosts</source>
            <translation>筛选卡、主机</translation>
        </message>
        <message>
            <source>Filter drawing and tables: words, /regex/, args:text, dur&gt;1ms, rank:0-7, lane:…, cat:…, -not</source>
            <translation>过滤绘图和表格：词语、/正则/、args:文本、dur&gt;1ms、rank:0-7、lane:…、cat:…、-取反</translation>
        </message>
        <message>
            <source>Filter of drawing and tables</source>
            <translation>绘图和表格的过滤条件</translation>
        </message>
        <message>
            <source>Filter recent projects</source>
            <translation>筛选最近项目</translation>
        </message>
        <message>
            <source>Filter the table by this</source>
            <translation>按此项过滤表格</translation>
        </message>
        <message>
            <source>Filter the table by this address</source>
            <translation>按该地址过滤表格</translation>
        </message>
        <message>
            <source>Filter {column}</source>
            <translation>筛选 {column}</translation>
        </message>
        <message>
            <source>Filters used before</source>
            <translation>用过的过滤条件</translation>
        </message>
        <message>
            <source>Filter…</source>
            <translation>过滤…</translation>
        </message>
        <message>
            <source>Find</source>
            <translation>查找</translation>
        </message>
        <message>
            <source>Find in Communication</source>
            <translation>在通信中查找</translation>
        </message>
        <message>
            <source>Find in Timeline</source>
            <translation>跳转至时间线视图</translation>
        </message>
        <message>
            <source>Find in selection</source>
            <translation>在选中内容中查找</translation>
        </message>
        <message>
            <source>Finding</source>
            <translation>结论</translation>
        </message>
        <message>
            <source>Find…</source>
            <translation>查找…</translation>
        </message>
        <message>
            <source>First Access Timestamp</source>
            <translation>首次访问时间戳</translation>
        </message>
        <message>
            <source>First access</source>
            <translation>首次访问</translation>
        </message>
        <message>
            <source>First allocation</source>
            <translation>首次申请</translation>
        </message>
        <message>
            <source>First event</source>
            <translation>首个事件</translation>
        </message>
        <message>
            <source>First line</source>
            <translation>首行</translation>
        </message>
        <message>
            <source>Fit the height</source>
            <translation>适应高度</translation>
        </message>
        <message>
            <source>Fit the selected slice to the screen</source>
            <translation>使所选切片适应屏幕</translation>
        </message>
        <message>
            <source>Fit to screen</source>
            <translation>适应屏幕</translation>
        </message>
        <message>
            <source>Flag the range, the slice or the time at the mouse</source>
            <translation>标记所选范围、切片或鼠标处的时间</translation>
        </message>
        <message>
            <source>Flag this range (K)</source>
            <translation>标记此范围 (K)</translation>
        </message>
        <message>
            <source>Flame Graph</source>
            <translation>火焰图</translation>
        </message>
        <message>
            <source>Flame graph</source>
            <translation>火焰图</translation>
        </message>
        <message>
            <source>Flame graph of call stacks</source>
            <translation>调用栈火焰图</translation>
        </message>
        <message>
            <source>Flame graph of the selection</source>
            <translation>选中区域的火焰图</translation>
        </message>
        <message>
            <source>Flow Events</source>
            <translation>连线事件</translation>
        </message>
        <message>
            <source>Fold idle gaps</source>
            <translation>折叠空闲间隙</translation>
        </message>
        <message>
            <source>Fold idle gaps out of the time axis, or show all time</source>
            <translation>将空闲间隙从时间轴折叠，或显示全部时间</translation>
        </message>
        <message>
            <source>Folded idle gap</source>
            <translation>已折叠的空闲间隙</translation>
        </message>
        <message>
            <source>Folder</source>
            <translation>文件夹</translation>
        </message>
        <message>
            <source>Folder with expert hotspots or deployments</source>
            <translation>包含专家热点或部署文件的文件夹</translation>
        </message>
        <message>
            <source>Folder with the source files</source>
            <translation>源码文件夹</translation>
        </message>
        <message>
            <source>Follow none</source>
            <translation>取消跟踪</translation>
        </message>
        <message>
            <source>Follow the links of the selected slice back</source>
            <translation>沿选中切片的连线后退</translation>
        </message>
        <message>
            <source>Follow the links of the selected slice forward</source>
            <translation>沿选中切片的连线前进</translation>
        </message>
        <message>
            <source>Follow the links of the selected slice forward / back</source>
            <translation>沿选中切片的连线前进/后退</translation>
        </message>
        <message>
            <source>Follows</source>
            <translation>承接方式</translation>
        </message>
        <message>
            <source>For growth: per step</source>
            <translation>增长规则：每步</translation>
        </message>
        <message>
            <source>Format</source>
            <translation>格式</translation>
        </message>
        <message>
            <source>Forward</source>
            <translation>前向</translation>
        </message>
        <message>
            <source>Forward / DP</source>
            <translation>前向 / DP</translation>
        </message>
        <message>
            <source>Forward pass</source>
            <translation>前向过程</translation>
        </message>
        <message>
            <source>Forward passes</source>
            <translation>前向</translation>
        </message>
        <message>
            <source>Forward passes by iteration</source>
            <translation>按迭代的前向时长</translation>
        </message>
        <message>
            <source>Fragmentation</source>
            <translation>碎片率</translation>
        </message>
        <message>
            <source>Framework</source>
            <translation>框架</translation>
        </message>
        <message>
            <source>Free</source>
            <translation>空闲时间</translation>
        </message>
        <message>
            <source>Free Event ID</source>
            <translation>释放事件 ID</translation>
        </message>
        <message>
            <source>Free Requested Event ID</source>
            <translation>请求释放事件 ID</translation>
        </message>
        <message>
            <source>Free Timestamp</source>
            <translation>释放时间戳</translation>
        </message>
        <message>
            <source>Free completed event</source>
            <translation>释放完成事件</translation>
        </message>
        <message>
            <source>Free device memory and all gaps together are less than what was asked for.</source>
            <translation>设备空闲内存与所有空隙之和小于申请量。</translation>
        </message>
        <message>
            <source>Free of an address that does not live</source>
            <translation>对不存活地址的释放</translation>
        </message>
        <message>
            <source>Free requested event</source>
            <translation>请求释放事件</translation>
        </message>
        <message>
            <source>Frequency (MHz)</source>
            <translation>频率 (MHz)</translation>
        </message>
        <message>
            <source>From</source>
            <translation>起点</translation>
        </message>
        <message>
            <source>From event</source>
            <translation>起始事件</translation>
        </message>
        <message>
            <source>From the first start of a task to the last end</source>
            <translation>从第一个任务开始到最后一个任务结束</translation>
        </message>
        <message>
            <source>Frontend</source>
            <translation>前端</translation>
        </message>
        <message>
            <source>Ftrace Task Summary</source>
            <translation>Ftrace 任务汇总</translation>
        </message>
        <message>
            <source>Full screen</source>
            <translation>全屏</translation>
        </message>
        <message>
            <source>Function</source>
            <translation>函数</translation>
        </message>
        <message>
            <source>Function Stack Flame Graph</source>
            <translation>调用栈火焰图</translation>
        </message>
        <message>
            <source>Functions</source>
            <translation>函数数</translation>
        </message>
        <message>
            <source>Fused Operator</source>
            <translation>融合算子</translation>
        </message>
        <message>
            <source>Gap after the previous task of the device</source>
            <translation>与设备上前一任务之间的间隔</translation>
        </message>
        <message>
            <source>Gap before</source>
            <translation>之前的间隙</translation>
        </message>
        <message>
            <source>Gaps</source>
            <translation>空隙</translation>
        </message>
        <message>
            <source>Gaps between tokens have no length</source>
            <translation>token 间隔没有对应的长度</translation>
        </message>
        <message>
            <source>Garbage collector</source>
            <translation>垃圾回收</translation>
        </message>
        <message>
            <source>Generate</source>
            <translation>生成</translation>
        </message>
        <message>
            <source>Generate Bubble Line Chart By Block</source>
            <translation>按色块生成空泡折线图</translation>
        </message>
        <message>
            <source>Generate Duration Line Chart By Block</source>
            <translation>按色块生成耗时折线图</translation>
        </message>
        <message>
            <source>Generated from slices</source>
            <translation>由切片生成</translation>
        </message>
        <message>
            <source>Go</source>
            <translation>转到</translation>
        </message>
        <message>
            <source>Go to peak</source>
            <translation>跳转到峰值</translation>
        </message>
        <message>
            <source>Go to the alloc event</source>
            <translation>转到申请事件</translation>
        </message>
        <message>
            <source>Go to the free event</source>
            <translation>转到释放事件</translation>
        </message>
        <message>
            <source>Go to the longest slice</source>
            <translation>跳转到最长的切片</translation>
        </message>
        <message>
            <source>Go to this flag</source>
            <translation>跳转到此标记</translation>
        </message>
        <message>
            <source>Goodput</source>
            <translation>有效吞吐</translation>
        </message>
        <message>
            <source>Graph ID</source>
            <translation>图序号</translation>
        </message>
        <message>
            <source>Group</source>
            <translation>分组</translation>
        </message>
        <message>
            <source>Group By</source>
            <translation>分组方式</translation>
        </message>
        <message>
            <source>Group Name</source>
            <translation>通信组名称</translation>
        </message>
        <message>
            <source>Group {0}</source>
            <translation>组 {0}</translation>
        </message>
        <message>
            <source>GroupedMatmul</source>
            <translation>GroupedMatmul</translation>
        </message>
        <message>
            <source>Groups bound by memory access take {0} of the time listed.</source>
            <translation>受访存限制的分组占所列时间的 {0}。</translation>
        </message>
        <message>
            <source>Half of the slices are not longer</source>
            <translation>一半的切片不长于此值</translation>
        </message>
        <message>
            <source>Hard IRQ Count</source>
            <translation>硬中断次数</translation>
        </message>
        <message>
            <source>Hard IRQ Duration</source>
            <translation>硬中断时间</translation>
        </message>
        <message>
            <source>Help</source>
            <translation>帮助</translation>
        </message>
        <message>
            <source>Hide</source>
            <translation>隐藏</translation>
        </message>
        <message>
            <source>Hide SET/WAIT events</source>
            <translation>隐藏 SET/WAIT 事件</translation>
        </message>
        <message>
            <source>Hide all counters</source>
            <translation>隐藏全部计数器</translation>
        </message>
        <message>
            <source>High</source>
            <translation>高</translation>
        </message>
        <message>
            <source>History</source>
            <translation>历史</translation>
        </message>
        <message>
            <source>Hit</source>
            <translation>命中</translation>
        </message>
        <message>
            <source>Hit Rate(%)</source>
            <translation>命中率(%)</translation>
        </message>
        <message>
            <source>Hit Rate:</source>
            <translation>命中率：</translation>
        </message>
        <message>
            <source>Hit events</source>
            <translation>命中次数</translation>
        </message>
        <message>
            <source>Hit share</source>
            <translation>命中占比</translation>
        </message>
        <message>
            <source>Host</source>
            <translation>主机</translation>
        </message>
        <message>
            <source>Host Name</source>
            <translation>机器名称</translation>
        </message>
        <message>
            <source>Host busy</source>
            <translation>主机繁忙</translation>
        </message>
        <message>
            <source>Host calls are recorded when the activities of the profiler include CPU.</source>
            <translation>性能采集的 activities 包含 CPU 时才会记录主机调用。</translation>
        </message>
        <message>
            <source>Host calls named …aclopCompileAndExecute, when there are {n} or more of them.</source>
            <translation>名称以 aclopCompileAndExecute 结尾、数量达到 {n} 个及以上的主机调用。</translation>
        </message>
        <message>
            <source>Host memory</source>
            <translation>主机内存</translation>
        </message>
        <message>
            <source>Host {host} Rank {rank}</source>
            <translation>主机 {host} 卡 {rank}</translation>
        </message>
        <message>
            <source>Hosts</source>
            <translation>主机</translation>
        </message>
        <message>
            <source>How long each task ran, waited for a CPU and slept, with its switches and interrupts.</source>
            <translation>每个任务的运行、等待 CPU 和睡眠时间，以及切换和中断。</translation>
        </message>
        <message>
            <source>How long the host takes to bring an operator to the device: prepare, enqueue, queue, launch. Click a row to see its chain.</source>
            <translation>主机将算子下发到设备所需的时间：准备、入队、排队、下发。点击一行查看其调用链。</translation>
        </message>
        <message>
            <source>How much speaks for a leak: the share that stays, and how often more is added.</source>
            <translation>泄漏的可能性：未释放的比例，以及新增的频繁程度。</translation>
        </message>
        <message>
            <source>How names match</source>
            <translation>名称匹配方式</translation>
        </message>
        <message>
            <source>ID</source>
            <translation>ID</translation>
        </message>
        <message>
            <source>ITL P99</source>
            <translation>ITL P99</translation>
        </message>
        <message>
            <source>ITL max</source>
            <translation>ITL 最大</translation>
        </message>
        <message>
            <source>Idle Time</source>
            <translation>空闲时间</translation>
        </message>
        <message>
            <source>Idle stretches of the device</source>
            <translation>设备的空闲时段</translation>
        </message>
        <message>
            <source>Implicit free</source>
            <translation>隐式释放</translation>
        </message>
        <message>
            <source>Import a folder with decode_&lt;rank&gt;.csv or prefill_&lt;rank&gt;.csv and model_gen_config.json, or with &lt;stage&gt;_global_deployment.json.</source>
            <translation>请导入包含 decode_&lt;rank&gt;.csv 或 prefill_&lt;rank&gt;.csv 及 model_gen_config.json，或 &lt;stage&gt;_global_deployment.json 的文件夹。</translation>
        </message>
        <message>
            <source>Import report</source>
            <translation>导入报告</translation>
        </message>
        <message>
            <source>Importing</source>
            <translation>正在导入</translation>
        </message>
        <message>
            <source>Importing 1 card</source>
            <translation>正在导入 1 张卡</translation>
        </message>
        <message>
            <source>Importing {count} cards</source>
            <translation>正在导入 {count} 张卡</translation>
        </message>
        <message>
            <source>Import…</source>
            <translation>导入…</translation>
        </message>
        <message>
            <source>In</source>
            <translation>输入</translation>
        </message>
        <message>
            <source>In SLO</source>
            <translation>达标</translation>
        </message>
        <message>
            <source>In operator</source>
            <translation>所在算子</translation>
        </message>
        <message>
            <source>In use</source>
            <translation>使用中</translation>
        </message>
        <message>
            <source>Included Ranks</source>
            <translation>包含的卡</translation>
        </message>
        <message>
            <source>Inconsistency</source>
            <translation>不一致项</translation>
        </message>
        <message>
            <source>Index</source>
            <translation>序号</translation>
        </message>
        <message>
            <source>Inefficient blocks…</source>
            <translation>低效内存块…</translation>
        </message>
        <message>
            <source>Innermost frame</source>
            <translation>最内层栈帧</translation>
        </message>
        <message>
            <source>Input Data Types</source>
            <translation>输入数据类型</translation>
        </message>
        <message>
            <source>Input Formats</source>
            <translation>输入格式</translation>
        </message>
        <message>
            <source>Input Shape</source>
            <translation>输入 Shape</translation>
        </message>
        <message>
            <source>Input Shapes</source>
            <translation>输入形状</translation>
        </message>
        <message>
            <source>Input − Golden; Golden is the baseline</source>
            <translation>Input − Golden；Golden 为基线</translation>
        </message>
        <message>
            <source>Instance</source>
            <translation>实例</translation>
        </message>
        <message>
            <source>Instants</source>
            <translation>瞬时事件</translation>
        </message>
        <message>
            <source>Instruction</source>
            <translation>指令</translation>
        </message>
        <message>
            <source>Instruction Per Cycle</source>
            <translation>每周期指令数</translation>
        </message>
        <message>
            <source>Instruction ranges</source>
            <translation>指令区间数</translation>
        </message>
        <message>
            <source>Instruction {0}</source>
            <translation>指令 {0}</translation>
        </message>
        <message>
            <source>Instructions</source>
            <translation>指令数</translation>
        </message>
        <message>
            <source>Integral</source>
            <translation>积分</translation>
        </message>
        <message>
            <source>Inter-token latency</source>
            <translation>token 间隔</translation>
        </message>
        <message>
            <source>Interference</source>
            <translation>干扰</translation>
        </message>
        <message>
            <source>Involuntary Switch Count</source>
            <translation>非自愿切换次数</translation>
        </message>
        <message>
            <source>Issue</source>
            <translation>异常</translation>
        </message>
        <message>
            <source>Issues</source>
            <translation>问题</translation>
        </message>
        <message>
            <source>Issues ({count})</source>
            <translation>问题 ({count})</translation>
        </message>
        <message>
            <source>It came last in {0} of {1} collective operators{2}; {3} ranks waited, rank {4} longest: {5} ms in {6}.</source>
            <translation>在 {1} 个集合通信算子中有 {0} 个最后到达{2}；有 {3} 张卡等待，卡 {4} 等得最久：在 {6} 中等待 {5} ms。</translation>
        </message>
        <message>
            <source>It has fewer fields than the header.</source>
            <translation>其字段数少于表头。</translation>
        </message>
        <message>
            <source>It has no time yet.</source>
            <translation>尚无耗时。</translation>
        </message>
        <message>
            <source>It has {0} ms more {1} per step than those that waited.</source>
            <translation>与等待的卡相比，其每迭代的{1}多 {0} ms。</translation>
        </message>
        <message>
            <source>It may not have run on the cores that the trace has.</source>
            <translation>它可能没有在 trace 所含的核上运行。</translation>
        </message>
        <message>
            <source>It takes {0} µs or more on AICPU: avoid AICPU operators.</source>
            <translation>它在 AICPU 上耗时 {0} µs 及以上：请避免使用 AICPU 算子。</translation>
        </message>
        <message>
            <source>Iteration</source>
            <translation>迭代</translation>
        </message>
        <message>
            <source>Its clock differs by {0} ms: starts alone would mislead, these waits do not.</source>
            <translation>其时钟相差 {0} ms：只看开始时间会误判，等待时间不受影响。</translation>
        </message>
        <message>
            <source>Its communication is the shortest of its groups: it comes last, and they wait.</source>
            <translation>其通信时间在所属通信域中最短：它最后到达，其他卡在等待。</translation>
        </message>
        <message>
            <source>Its data types call for AICPU. Types that do not: input {0}; output {1}.</source>
            <translation>其数据类型导致使用 AICPU。不会导致的类型：输入 {0}；输出 {1}。</translation>
        </message>
        <message>
            <source>Its events are in the Timeline.</source>
            <translation>其事件在时间线中。</translation>
        </message>
        <message>
            <source>Its kernels come from there. Show in Timeline reads it.</source>
            <translation>算子来自时间线。点击“在时间线中显示”即可读取。</translation>
        </message>
        <message>
            <source>Its operators are listed as soon as it is read.</source>
            <translation>读取后即列出其算子。</translation>
        </message>
        <message>
            <source>Its start or end is not in the data.</source>
            <translation>其开始或结束不在数据中。</translation>
        </message>
        <message>
            <source>Jobs are compared by the sum of their operators.</source>
            <translation>集群之间按全部算子之和比较。</translation>
        </message>
        <message>
            <source>Jump target not found.</source>
            <translation>未找到跳转目标。</translation>
        </message>
        <message>
            <source>Jump to linked slice</source>
            <translation>跳转到相连的切片</translation>
        </message>
        <message>
            <source>KV cache</source>
            <translation>KV 缓存</translation>
        </message>
        <message>
            <source>KV mean</source>
            <translation>KV 均值</translation>
        </message>
        <message>
            <source>KV peak</source>
            <translation>KV 峰值</translation>
        </message>
        <message>
            <source>KV time at 90 % and more</source>
            <translation>KV ≥ 90 % 的时间</translation>
        </message>
        <message>
            <source>KV transfer</source>
            <translation>KV 传输</translation>
        </message>
        <message>
            <source>KV usage</source>
            <translation>KV 使用率</translation>
        </message>
        <message>
            <source>Keep</source>
            <translation>保留</translation>
        </message>
        <message>
            <source>Keep those of the data</source>
            <translation>保留数据中的大小</translation>
        </message>
        <message>
            <source>Kernel</source>
            <translation>算子</translation>
        </message>
        <message>
            <source>Kernel Details</source>
            <translation>Kernel 详情</translation>
        </message>
        <message>
            <source>Kernel E2E Time</source>
            <translation>Kernel 端到端时间</translation>
        </message>
        <message>
            <source>Kernel Name: {0}</source>
            <translation>算子名称：{0}</translation>
        </message>
        <message>
            <source>Kernels</source>
            <translation>Kernel</translation>
        </message>
        <message>
            <source>Kernels below</source>
            <translation>下方的算子</translation>
        </message>
        <message>
            <source>Kernels by type and core. Click a row to see its kernels.</source>
            <translation>按类型和核统计 kernel。点击一行查看其 kernel。</translation>
        </message>
        <message>
            <source>Kernels in the Timeline alone have no types, shapes and counters.</source>
            <translation>仅有时间线时，算子没有类型、Shape 和计数器。</translation>
        </message>
        <message>
            <source>Kernels of {0}</source>
            <translation>{0} 的算子明细</translation>
        </message>
        <message>
            <source>Kernels on AI_CPU whose type has an equivalent ({types}), whose data types are not supported elsewhere, or that take {n} µs or more.</source>
            <translation>AI_CPU 上的 kernel：其类型有等价算子（{types}），或数据类型在其他核上不受支持，或耗时 {n} µs 及以上。</translation>
        </message>
        <message>
            <source>Kernels side by side</source>
            <translation>算子对照</translation>
        </message>
        <message>
            <source>Keyboard shortcuts</source>
            <translation>键盘快捷键</translation>
        </message>
        <message>
            <source>Keys</source>
            <translation>按键</translation>
        </message>
        <message>
            <source>Kind</source>
            <translation>类别</translation>
        </message>
        <message>
            <source>Kind and size of a copy are recorded with profiler_level Level2; databases need the table MEMCPY_INFO.</source>
            <translation>拷贝的类型和大小需要 profiler_level Level2；数据库还需要 MEMCPY_INFO 表。</translation>
        </message>
        <message>
            <source>L2 Cache Hit Rate = L2 Cache Total Hit / (L2 Cache Total Hit + L2 Cache Total Miss)</source>
            <translation>L2 Cache 命中率 = L2 Cache 总命中 / (L2 Cache 总命中 + L2 Cache 总未命中)</translation>
        </message>
        <message>
            <source>L2 hits</source>
            <translation>L2 命中</translation>
        </message>
        <message>
            <source>Lane</source>
            <translation>泳道</translation>
        </message>
        <message>
            <source>Lane filter</source>
            <translation>泳道筛选</translation>
        </message>
        <message>
            <source>Lane tree</source>
            <translation>泳道树</translation>
        </message>
        <message>
            <source>Lanes of different cards cannot be merged.</source>
            <translation>不同卡的泳道不能合并。</translation>
        </message>
        <message>
            <source>Lanes of the range</source>
            <translation>范围内的泳道</translation>
        </message>
        <message>
            <source>Lanes that show the same time twice count twice in the sum; busy joins the intervals of all slices.</source>
            <translation>多条泳道显示同一段时间时，总和会重复计算；繁忙时间为全部切片区间的并集。</translation>
        </message>
        <message>
            <source>Lanes {0} of {1}</source>
            <translation>泳道 {0} / {1}</translation>
        </message>
        <message>
            <source>Language</source>
            <translation>语言</translation>
        </message>
        <message>
            <source>Large Packet Ratio</source>
            <translation>大通信包占比</translation>
        </message>
        <message>
            <source>Largest</source>
            <translation>最大块</translation>
        </message>
        <message>
            <source>Largest block</source>
            <translation>最大块</translation>
        </message>
        <message>
            <source>Largest gap</source>
            <translation>最大空隙</translation>
        </message>
        <message>
            <source>Largest gap elsewhere</source>
            <translation>其他处的最大空隙</translation>
        </message>
        <message>
            <source>Largest size</source>
            <translation>最大大小</translation>
        </message>
        <message>
            <source>Largest: {0}.</source>
            <translation>最大变化：{0}。</translation>
        </message>
        <message>
            <source>Last Access Timestamp</source>
            <translation>最后访问时间戳</translation>
        </message>
        <message>
            <source>Last access</source>
            <translation>最后访问</translation>
        </message>
        <message>
            <source>Last allocation</source>
            <translation>最后申请</translation>
        </message>
        <message>
            <source>Last event</source>
            <translation>最后事件</translation>
        </message>
        <message>
            <source>Last line</source>
            <translation>末行</translation>
        </message>
        <message>
            <source>Late at collective operators</source>
            <translation>集合通信迟到</translation>
        </message>
        <message>
            <source>Latency and requests</source>
            <translation>时延与请求</translation>
        </message>
        <message>
            <source>Latency bound</source>
            <translation>时延瓶颈</translation>
        </message>
        <message>
            <source>Launch Time</source>
            <translation>下发时间</translation>
        </message>
        <message>
            <source>Layer</source>
            <translation>层</translation>
        </message>
        <message>
            <source>Layer Depth</source>
            <translation>层深度</translation>
        </message>
        <message>
            <source>Layers without experts: 0,1,2 or 0-2</source>
            <translation>没有专家的层：0,1,2 或 0-2</translation>
        </message>
        <message>
            <source>Lazy Used Threshold</source>
            <translation>提前申请阈值</translation>
        </message>
        <message>
            <source>Leak suspects</source>
            <translation>疑似泄漏</translation>
        </message>
        <message>
            <source>Legend</source>
            <translation>图例</translation>
        </message>
        <message>
            <source>Less</source>
            <translation>收起</translation>
        </message>
        <message>
            <source>Level</source>
            <translation>等级</translation>
        </message>
        <message>
            <source>Level0 collects no communication data; they cannot be made from the timeline afterwards.</source>
            <translation>Level0 不采集通信数据，事后也无法由时间线得到。</translation>
        </message>
        <message>
            <source>Level0 has step times only: the Communication page and the times of groups stay empty with it.</source>
            <translation>Level0 只有迭代时间：通信页和各通信域的时间为空。</translation>
        </message>
        <message>
            <source>Licence: Apache 2.0. Works offline; your files are never changed.</source>
            <translation>许可证：Apache 2.0。离线工作，从不修改您的文件。</translation>
        </message>
        <message>
            <source>Life</source>
            <translation>生命周期</translation>
        </message>
        <message>
            <source>Life {0}</source>
            <translation>生命周期 {0}</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>浅色</translation>
        </message>
        <message>
            <source>Limit of {0} in ms</source>
            <translation>{0} 的限制 (ms)</translation>
        </message>
        <message>
            <source>Limit of {0} in ms; 0 for none</source>
            <translation>{0} 的限制 (ms)；0 表示不限</translation>
        </message>
        <message>
            <source>Limits that are not met</source>
            <translation>未满足的限制</translation>
        </message>
        <message>
            <source>Line</source>
            <translation>行</translation>
        </message>
        <message>
            <source>Line : {0}</source>
            <translation>行：{0}</translation>
        </message>
        <message>
            <source>Line {0}</source>
            <translation>第 {0} 行</translation>
        </message>
        <message>
            <source>Link</source>
            <translation>连线</translation>
        </message>
        <message>
            <source>Link health</source>
            <translation>链路健康</translation>
        </message>
        <message>
            <source>Link {0} -&gt; {1}</source>
            <translation>链路 {0} -&gt; {1}</translation>
        </message>
        <message>
            <source>Link {0} -&gt; {1} is slow: {2} GB/s, the median of {3} is {4} GB/s.</source>
            <translation>链路 {0} -&gt; {1} 较慢：{2} GB/s，{3} 的中位数为 {4} GB/s。</translation>
        </message>
        <message>
            <source>Linked slice</source>
            <translation>关联切片</translation>
        </message>
        <message>
            <source>Linked slices</source>
            <translation>相连的切片</translation>
        </message>
        <message>
            <source>Links</source>
            <translation>连线</translation>
        </message>
        <message>
            <source>Links, slowest first</source>
            <translation>链路，最慢在前</translation>
        </message>
        <message>
            <source>List its cards</source>
            <translation>列出其中的卡</translation>
        </message>
        <message>
            <source>Lives</source>
            <translation>生命周期</translation>
        </message>
        <message>
            <source>Loading kernels and wait times…</source>
            <translation>正在加载算子和等待时间…</translation>
        </message>
        <message>
            <source>Loading…</source>
            <translation>加载中…</translation>
        </message>
        <message>
            <source>Lock selection area</source>
            <translation>锁定选区</translation>
        </message>
        <message>
            <source>Log</source>
            <translation>日志</translation>
        </message>
        <message>
            <source>Log files</source>
            <translation>日志文件</translation>
        </message>
        <message>
            <source>Logarithmic bins</source>
            <translation>对数分箱</translation>
        </message>
        <message>
            <source>Logarithmic values</source>
            <translation>对数刻度</translation>
        </message>
        <message>
            <source>Long Idle Threshold</source>
            <translation>过长闲置阈值</translation>
        </message>
        <message>
            <source>Longer than</source>
            <translation>长于</translation>
        </message>
        <message>
            <source>Longest RDMA Time</source>
            <translation>最长 RDMA 时间</translation>
        </message>
        <message>
            <source>Longest bubble</source>
            <translation>最长空泡</translation>
        </message>
        <message>
            <source>Longest gap</source>
            <translation>最长间隔</translation>
        </message>
        <message>
            <source>Longest idle stretch inside the range</source>
            <translation>范围内最长的空闲时间</translation>
        </message>
        <message>
            <source>Longest on rank {0} ({1} ms), shortest on rank {2} ({3} ms). {4}</source>
            <translation>最长：卡 {0}（{1} ms），最短：卡 {2}（{3} ms）。{4}</translation>
        </message>
        <message>
            <source>Longest time between accesses</source>
            <translation>最长访问间隔</translation>
        </message>
        <message>
            <source>Longest time between two accesses</source>
            <translation>两次访问之间的最长时间</translation>
        </message>
        <message>
            <source>Longest wait</source>
            <translation>最长等待</translation>
        </message>
        <message>
            <source>Longest waiter</source>
            <translation>等待最久的卡</translation>
        </message>
        <message>
            <source>Look again, when more cards were read</source>
            <translation>读取更多卡后重新查询</translation>
        </message>
        <message>
            <source>Looking at the files</source>
            <translation>正在查看文件</translation>
        </message>
        <message>
            <source>Lost to rounding</source>
            <translation>对齐损失</translation>
        </message>
        <message>
            <source>Low</source>
            <translation>低</translation>
        </message>
        <message>
            <source>Lower bound</source>
            <translation>下限</translation>
        </message>
        <message>
            <source>MALLOC of a block that lives already</source>
            <translation>内存块已存在时的 MALLOC</translation>
        </message>
        <message>
            <source>MALLOC that ends the block on its address</source>
            <translation>结束同一地址内存块的 MALLOC</translation>
        </message>
        <message>
            <source>MALLOC with a negative size</source>
            <translation>大小为负的 MALLOC</translation>
        </message>
        <message>
            <source>MALLOC without a device</source>
            <translation>没有设备的 MALLOC</translation>
        </message>
        <message>
            <source>MALLOC without a size</source>
            <translation>没有大小的 MALLOC</translation>
        </message>
        <message>
            <source>Made of the slices of one name on one lane of the Timeline; kept in the session.</source>
            <translation>由时间线同一泳道上的同名切片生成，保存在会话中。</translation>
        </message>
        <message>
            <source>Made others wait</source>
            <translation>使其他卡等待</translation>
        </message>
        <message>
            <source>Malloc</source>
            <translation>申请</translation>
        </message>
        <message>
            <source>Malloc Timestamp</source>
            <translation>申请时间戳</translation>
        </message>
        <message>
            <source>Many cards: nothing is read until you ask. ▶ in a row reads one card.</source>
            <translation>卡较多：在您要求之前不会读取。行中的 ▶ 只读取该卡。</translation>
        </message>
        <message>
            <source>Map sources to a folder…</source>
            <translation>从文件夹取源码…</translation>
        </message>
        <message>
            <source>Map sources…</source>
            <translation>映射源码…</translation>
        </message>
        <message>
            <source>Mark its free (B)</source>
            <translation>标记其释放时刻 (B)</translation>
        </message>
        <message>
            <source>Mark the first and last access</source>
            <translation>标记首次和末次访问</translation>
        </message>
        <message>
            <source>Marker List</source>
            <translation>标记列表</translation>
        </message>
        <message>
            <source>Markers</source>
            <translation>标记</translation>
        </message>
        <message>
            <source>Match Rate {rate} %: {normal} of {rows} top rows are normal</source>
            <translation>匹配率 {rate} %：{rows} 个顶层行中 {normal} 个正常</translation>
        </message>
        <message>
            <source>Match case</source>
            <translation>区分大小写</translation>
        </message>
        <message>
            <source>Matches</source>
            <translation>匹配数</translation>
        </message>
        <message>
            <source>Matching slice of the other card (A/B)</source>
            <translation>另一张卡上的匹配切片 (A/B)</translation>
        </message>
        <message>
            <source>Max</source>
            <translation>最大</translation>
        </message>
        <message>
            <source>Max Access Interval</source>
            <translation>最大访问间隔</translation>
        </message>
        <message>
            <source>Max Size</source>
            <translation>最大大小</translation>
        </message>
        <message>
            <source>Max Size(KB)</source>
            <translation>最大值(KB)</translation>
        </message>
        <message>
            <source>Max Time</source>
            <translation>最大耗时</translation>
        </message>
        <message>
            <source>Max Wall Duration</source>
            <translation>最大持续时间</translation>
        </message>
        <message>
            <source>Max batch size</source>
            <translation>最大批大小</translation>
        </message>
        <message>
            <source>Max batch size: what if</source>
            <translation>最大批大小推演</translation>
        </message>
        <message>
            <source>Max {0}</source>
            <translation>最大{0}</translation>
        </message>
        <message>
            <source>Max − Min</source>
            <translation>最大值 − 最小值</translation>
        </message>
        <message>
            <source>Maximum</source>
            <translation>最大值</translation>
        </message>
        <message>
            <source>Mean</source>
            <translation>平均</translation>
        </message>
        <message>
            <source>Mean of {0}</source>
            <translation>{0} 个的均值</translation>
        </message>
        <message>
            <source>Median</source>
            <translation>中位数</translation>
        </message>
        <message>
            <source>Median distance of the matched ends after the move</source>
            <translation>移动后匹配终点之间距离的中位数</translation>
        </message>
        <message>
            <source>Median of all</source>
            <translation>全部中位数</translation>
        </message>
        <message>
            <source>Median of the transport</source>
            <translation>该链路方式的中位数</translation>
        </message>
        <message>
            <source>Median of {0} ranks</source>
            <translation>{0} 张卡的中位数</translation>
        </message>
        <message>
            <source>Medium</source>
            <translation>中</translation>
        </message>
        <message>
            <source>MemScope</source>
            <translation>内存详情</translation>
        </message>
        <message>
            <source>Memcpy Overall</source>
            <translation>Memcpy 总览</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>Memory Allocation/Release Details</source>
            <translation>内存申请/释放详情</translation>
        </message>
        <message>
            <source>Memory Analysis</source>
            <translation>内存分析</translation>
        </message>
        <message>
            <source>Memory Block Graph</source>
            <translation>内存块图</translation>
        </message>
        <message>
            <source>Memory Details Disassembly Diagram</source>
            <translation>内存详情拆解图</translation>
        </message>
        <message>
            <source>Memory Layout</source>
            <translation>内存布局</translation>
        </message>
        <message>
            <source>Memory Transfer</source>
            <translation>内存搬运</translation>
        </message>
        <message>
            <source>Memory Unit</source>
            <translation>内存单元</translation>
        </message>
        <message>
            <source>Memory Usage (MB)</source>
            <translation>内存使用 (MB)</translation>
        </message>
        <message>
            <source>Memory Workload Analysis</source>
            <translation>内存负载分析</translation>
        </message>
        <message>
            <source>Memory and pipe tables</source>
            <translation>内存与流水表</translation>
        </message>
        <message>
            <source>Memory bound</source>
            <translation>访存瓶颈</translation>
        </message>
        <message>
            <source>Memory cannot be shown</source>
            <translation>内存页无法显示</translation>
        </message>
        <message>
            <source>Memory copy</source>
            <translation>内存拷贝</translation>
        </message>
        <message>
            <source>Memory handed out to operators when this was allocated</source>
            <translation>申请时已分配给算子的内存</translation>
        </message>
        <message>
            <source>Memory handed out to operators when this was released</source>
            <translation>释放时已分配给算子的内存</translation>
        </message>
        <message>
            <source>Memory has nothing to show yet</source>
            <translation>内存页暂无可显示的内容</translation>
        </message>
        <message>
            <source>Memory held by the pools when this was allocated</source>
            <translation>申请时内存池持有的内存</translation>
        </message>
        <message>
            <source>Memory held by the pools when this was released</source>
            <translation>释放时内存池持有的内存</translation>
        </message>
        <message>
            <source>Memory in use by any stream when this was allocated</source>
            <translation>申请时被任一流使用的内存</translation>
        </message>
        <message>
            <source>Memory in use by any stream when this was released</source>
            <translation>释放时被任一流使用的内存</translation>
        </message>
        <message>
            <source>Memory pool</source>
            <translation>内存池</translation>
        </message>
        <message>
            <source>Memory snapshot</source>
            <translation>内存快照</translation>
        </message>
        <message>
            <source>Memory usage</source>
            <translation>内存使用量</translation>
        </message>
        <message>
            <source>Memory usage (MB)</source>
            <translation>内存使用量 (MB)</translation>
        </message>
        <message>
            <source>Menu</source>
            <translation>菜单</translation>
        </message>
        <message>
            <source>Merge Units</source>
            <translation>合并泳道</translation>
        </message>
        <message>
            <source>Merged because</source>
            <translation>合并原因</translation>
        </message>
        <message>
            <source>Message</source>
            <translation>消息</translation>
        </message>
        <message>
            <source>Metric</source>
            <translation>指标</translation>
        </message>
        <message>
            <source>Min</source>
            <translation>最小</translation>
        </message>
        <message>
            <source>Min Size</source>
            <translation>最小大小</translation>
        </message>
        <message>
            <source>Min Size(KB)</source>
            <translation>最小值(KB)</translation>
        </message>
        <message>
            <source>Min Time</source>
            <translation>最小耗时</translation>
        </message>
        <message>
            <source>Min Wall Duration</source>
            <translation>最小持续时间</translation>
        </message>
        <message>
            <source>Min {0}</source>
            <translation>最小{0}</translation>
        </message>
        <message>
            <source>Minimise</source>
            <translation>最小化</translation>
        </message>
        <message>
            <source>Minimum</source>
            <translation>最小值</translation>
        </message>
        <message>
            <source>Miss</source>
            <translation>未命中</translation>
        </message>
        <message>
            <source>Miss events</source>
            <translation>未命中次数</translation>
        </message>
        <message>
            <source>Miss share</source>
            <translation>未命中占比</translation>
        </message>
        <message>
            <source>Missing</source>
            <translation>缺失</translation>
        </message>
        <message>
            <source>Missing values as zero</source>
            <translation>缺失值按 0 处理</translation>
        </message>
        <message>
            <source>Mix Block Dim</source>
            <translation>Mix Block Dim</translation>
        </message>
        <message>
            <source>MoE Expert Load Balancing Analysis</source>
            <translation>MoE大模型专家负载均衡分析</translation>
        </message>
        <message>
            <source>MoE Tensor Parallelism</source>
            <translation>MoE 张量并行</translation>
        </message>
        <message>
            <source>Model Layer Num</source>
            <translation>模型层数</translation>
        </message>
        <message>
            <source>Model Stage</source>
            <translation>模型阶段</translation>
        </message>
        <message>
            <source>More</source>
            <translation>更多</translation>
        </message>
        <message>
            <source>More figures</source>
            <translation>更多指标</translation>
        </message>
        <message>
            <source>More of</source>
            <translation>多出的时间</translation>
        </message>
        <message>
            <source>More than {0} categories: lines lie on each other.</source>
            <translation>超过 {0} 个类别：连线会相互重叠。</translation>
        </message>
        <message>
            <source>More tools</source>
            <translation>更多工具</translation>
        </message>
        <message>
            <source>Most of it in {0}: {1} ms.</source>
            <translation>其中最多的是 {0}：{1} ms。</translation>
        </message>
        <message>
            <source>Most requests under way</source>
            <translation>处理中请求峰值</translation>
        </message>
        <message>
            <source>Mouse guide</source>
            <translation>鼠标指南</translation>
        </message>
        <message>
            <source>Moved by</source>
            <translation>平移</translation>
        </message>
        <message>
            <source>NA : displays the multi-core average.</source>
            <translation>NA：显示多核平均值。</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名称</translation>
        </message>
        <message>
            <source>Name of the flag</source>
            <translation>标记的名称</translation>
        </message>
        <message>
            <source>Name shown beside the card</source>
            <translation>显示在卡旁的名称</translation>
        </message>
        <message>
            <source>Names of both cards</source>
            <translation>两张卡的名称</translation>
        </message>
        <message>
            <source>Names of the range</source>
            <translation>范围内的名称</translation>
        </message>
        <message>
            <source>Needs CANN {0} or later.</source>
            <translation>需要 CANN {0} 或更高版本。</translation>
        </message>
        <message>
            <source>Nested and overlapping slices are added up</source>
            <translation>嵌套和重叠的切片累加计算</translation>
        </message>
        <message>
            <source>Never ended</source>
            <translation>未结束</translation>
        </message>
        <message>
            <source>Never ended: the data stop before its end. It is drawn to the end of the data.</source>
            <translation>未结束：数据在其结束前中止，因此画到数据末尾。</translation>
        </message>
        <message>
            <source>New flag; double click on a flag: edit</source>
            <translation>新建标记；双击标记可编辑</translation>
        </message>
        <message>
            <source>New keys</source>
            <translation>新按键</translation>
        </message>
        <message>
            <source>New path</source>
            <translation>新路径</translation>
        </message>
        <message>
            <source>Next / previous slice of the lane</source>
            <translation>泳道中的下一个 / 上一个切片</translation>
        </message>
        <message>
            <source>Next / previous slice of this name</source>
            <translation>下一个 / 上一个同名切片</translation>
        </message>
        <message>
            <source>Next / previous step</source>
            <translation>下一步 / 上一步</translation>
        </message>
        <message>
            <source>Next area of the window</source>
            <translation>窗口的下一区域</translation>
        </message>
        <message>
            <source>Next card</source>
            <translation>下一张卡</translation>
        </message>
        <message>
            <source>Next event of this block</source>
            <translation>该内存块的下一个事件</translation>
        </message>
        <message>
            <source>Next hit</source>
            <translation>下一个结果</translation>
        </message>
        <message>
            <source>Next hot line</source>
            <translation>下一热点行</translation>
        </message>
        <message>
            <source>Next match</source>
            <translation>下一处</translation>
        </message>
        <message>
            <source>Next slice of the lane</source>
            <translation>泳道的下一个切片</translation>
        </message>
        <message>
            <source>Next slice of this name</source>
            <translation>下一个同名切片</translation>
        </message>
        <message>
            <source>Next step</source>
            <translation>下一步</translation>
        </message>
        <message>
            <source>Next: {0}.</source>
            <translation>其次：{0}。</translation>
        </message>
        <message>
            <source>No</source>
            <translation>否</translation>
        </message>
        <message>
            <source>No &lt;built-in …&gt; call encloses the operator or the enqueue: collect with Python stacks.</source>
            <translation>没有 &lt;built-in …&gt; 调用包含该算子或入队：请采集 Python 调用栈。</translation>
        </message>
        <message>
            <source>No Data</source>
            <translation>无数据</translation>
        </message>
        <message>
            <source>No HostToDevice link leads from the launch.</source>
            <translation>没有从该下发出发的 HostToDevice 连线。</translation>
        </message>
        <message>
            <source>No HostToDevice link leads to the task.</source>
            <translation>没有指向该任务的 HostToDevice 连线。</translation>
        </message>
        <message>
            <source>No MemScope dump is read yet</source>
            <translation>尚未读取 MemScope 转储</translation>
        </message>
        <message>
            <source>No Result</source>
            <translation>无结果</translation>
        </message>
        <message>
            <source>No aclnn call encloses the launch.</source>
            <translation>没有 aclnn 调用包含该下发。</translation>
        </message>
        <message>
            <source>No aclopCompileAndExecute call was found.</source>
            <translation>未找到 aclopCompileAndExecute 调用。</translation>
        </message>
        <message>
            <source>No allocation is alive in this range. Drag over the curves for another one.</source>
            <translation>该范围内没有存活的内存分配。在曲线上拖动可选择其他范围。</translation>
        </message>
        <message>
            <source>No allocations. They come with {0}.</source>
            <translation>没有分配记录。它们来自 {0}。</translation>
        </message>
        <message>
            <source>No async_task_queue link leads to the dequeue.</source>
            <translation>没有指向该出队的 async_task_queue 连线。</translation>
        </message>
        <message>
            <source>No batch lists this request.</source>
            <translation>没有批次包含该请求。</translation>
        </message>
        <message>
            <source>No block lives in this range.</source>
            <translation>该区间内没有存活的内存块。</translation>
        </message>
        <message>
            <source>No block selected</source>
            <translation>未选择内存块</translation>
        </message>
        <message>
            <source>No block waited for its stream.</source>
            <translation>没有内存块等待其流。</translation>
        </message>
        <message>
            <source>No blocks</source>
            <translation>没有内存块</translation>
        </message>
        <message>
            <source>No call stack was collected for this row.</source>
            <translation>该行没有采集调用栈。</translation>
        </message>
        <message>
            <source>No call stack was recorded: the recording began later, its context or stacks argument left it out, or it is a backward pass without C++ frames (record with stacks='all').</source>
            <translation>未记录调用栈：录制开始得更晚、context 或 stacks 参数将其排除，或是没有 C++ 栈帧的反向过程（请使用 stacks='all' 录制）。</translation>
        </message>
        <message>
            <source>No call stacks: collect with call_stack=python or c.</source>
            <translation>没有调用栈：采集时请设置 call_stack=python 或 c。</translation>
        </message>
        <message>
            <source>No card has been read yet</source>
            <translation>尚未读取任何卡</translation>
        </message>
        <message>
            <source>No card is open</source>
            <translation>没有打开的卡</translation>
        </message>
        <message>
            <source>No card is open. Open profiling data or read a card of the project.</source>
            <translation>没有打开的卡。请打开性能数据，或解析项目中的一张卡。</translation>
        </message>
        <message>
            <source>No card is open. The Operator page lists the kernels of one card by type, name and shape.</source>
            <translation>尚未打开任何卡。算子页按类型、名称和 Shape 列出一张卡的算子。</translation>
        </message>
        <message>
            <source>No comparison</source>
            <translation>不比较</translation>
        </message>
        <message>
            <source>No component reserves 100 MB or more.</source>
            <translation>没有预留达到 100 MB 的组件。</translation>
        </message>
        <message>
            <source>No compute workload</source>
            <translation>没有计算负载数据</translation>
        </message>
        <message>
            <source>No data</source>
            <translation>无数据</translation>
        </message>
        <message>
            <source>No dequeue encloses the CANN call on its thread.</source>
            <translation>同一线程上没有出队包含该 CANN 调用。</translation>
        </message>
        <message>
            <source>No device trace of this time is open.</source>
            <translation>未打开该时段的设备 trace。</translation>
        </message>
        <message>
            <source>No dispatch of operators was found</source>
            <translation>未找到算子下发过程</translation>
        </message>
        <message>
            <source>No ended request has one.</source>
            <translation>没有已完成的请求具有该值。</translation>
        </message>
        <message>
            <source>No ended request has two tokens whose steps are known.</source>
            <translation>没有已完成的请求具有两个已知所属步的 token。</translation>
        </message>
        <message>
            <source>No ended request has two tokens.</source>
            <translation>没有已完成的请求输出两个 token。</translation>
        </message>
        <message>
            <source>No event in this range.</source>
            <translation>该区间内没有事件。</translation>
        </message>
        <message>
            <source>No events of it are known.</source>
            <translation>没有该请求的事件。</translation>
        </message>
        <message>
            <source>No expert data are imported</source>
            <translation>尚未导入专家数据</translation>
        </message>
        <message>
            <source>No figure differs by more than 5 % of the mean step time between the ranks.</source>
            <translation>各卡之间没有任何指标的差异超过平均迭代时间的 5 %。</translation>
        </message>
        <message>
            <source>No file of the folder fits the sources of this kernel.</source>
            <translation>该文件夹中没有与此算子源码相符的文件。</translation>
        </message>
        <message>
            <source>No flags yet. Click the row below the time axis, or press K.</source>
            <translation>还没有标记。单击时间轴下方的一行，或按 K。</translation>
        </message>
        <message>
            <source>No forward passes are recorded</source>
            <translation>未记录前向</translation>
        </message>
        <message>
            <source>No forward passes are recorded.</source>
            <translation>未记录前向。</translation>
        </message>
        <message>
            <source>No gaps between tokens</source>
            <translation>没有 token 间隔</translation>
        </message>
        <message>
            <source>No host</source>
            <translation>无主机</translation>
        </message>
        <message>
            <source>No idle gap of all devices is longer than {0}.</source>
            <translation>没有所有设备同时空闲超过 {0} 的间隙。</translation>
        </message>
        <message>
            <source>No instruction was made of this line.</source>
            <translation>此行没有生成指令。</translation>
        </message>
        <message>
            <source>No job is open. The Communication page compares the ranks of a job: open the folder above their folders.</source>
            <translation>没有打开集群数据。通信页面比较同一集群的各卡：请打开各卡目录的上一级目录。</translation>
        </message>
        <message>
            <source>No kernel is open</source>
            <translation>没有打开的算子</translation>
        </message>
        <message>
            <source>No kernel takes far longer than its like.</source>
            <translation>没有算子的耗时远超同类。</translation>
        </message>
        <message>
            <source>No kernel takes far longer than its like. Checked in groups of 8 or more calls.</source>
            <translation>没有算子的耗时远超同类。已在调用不少于 8 次的分组中检查。</translation>
        </message>
        <message>
            <source>No kernels</source>
            <translation>没有算子</translation>
        </message>
        <message>
            <source>No key</source>
            <translation>无按键</translation>
        </message>
        <message>
            <source>No lane chosen</source>
            <translation>未选择泳道</translation>
        </message>
        <message>
            <source>No launch lies inside the CANN call.</source>
            <translation>CANN 调用内没有下发。</translation>
        </message>
        <message>
            <source>No leak suspects: everything was freed.</source>
            <translation>没有疑似泄漏：全部已释放。</translation>
        </message>
        <message>
            <source>No limits</source>
            <translation>无限制</translation>
        </message>
        <message>
            <source>No link is slower than its peers.</source>
            <translation>没有链路慢于同类链路。</translation>
        </message>
        <message>
            <source>No links in step {0}</source>
            <translation>迭代 {0} 中没有链路</translation>
        </message>
        <message>
            <source>No links of it were recorded.</source>
            <translation>没有记录到它的连线。</translation>
        </message>
        <message>
            <source>No markers in this trace.</source>
            <translation>没有标记。</translation>
        </message>
        <message>
            <source>No memory snapshot is read yet</source>
            <translation>尚未读取内存快照</translation>
        </message>
        <message>
            <source>No memory tables</source>
            <translation>没有内存表</translation>
        </message>
        <message>
            <source>No memory workload</source>
            <translation>没有内存负载数据</translation>
        </message>
        <message>
            <source>No name on the chosen cards matches “{text}”.</source>
            <translation>所选卡上没有与“{text}”匹配的名称。</translation>
        </message>
        <message>
            <source>No operator (aten::, npu::, vllm::) encloses the enqueue.</source>
            <translation>没有算子（aten::、npu::、vllm::）包含该入队。</translation>
        </message>
        <message>
            <source>No operator is chosen</source>
            <translation>未选择算子</translation>
        </message>
        <message>
            <source>No operator moved anything over SDMA or RDMA.</source>
            <translation>没有算子通过 SDMA 或 RDMA 传输数据。</translation>
        </message>
        <message>
            <source>No operator shares its bandwidth with a matrix multiplication.</source>
            <translation>没有算子与矩阵乘同时抢占带宽。</translation>
        </message>
        <message>
            <source>No operator took so long that packets were sent again.</source>
            <translation>没有算子耗时长到发生重传。</translation>
        </message>
        <message>
            <source>No operators in this group</source>
            <translation>该分组没有算子</translation>
        </message>
        <message>
            <source>No operators of this static graph pass the filters.</source>
            <translation>该静态图没有符合筛选条件的算子。</translation>
        </message>
        <message>
            <source>No other card has a matching slice.</source>
            <translation>其他卡上没有匹配的切片。</translation>
        </message>
        <message>
            <source>No out-of-memory event in this trace.</source>
            <translation>没有内存不足事件。</translation>
        </message>
        <message>
            <source>No packets over {0}</source>
            <translation>{0} 上没有通信包</translation>
        </message>
        <message>
            <source>No pipeline is chosen</source>
            <translation>未选择流水线</translation>
        </message>
        <message>
            <source>No plan of on-chip memory is open</source>
            <translation>未打开片上内存规划</translation>
        </message>
        <message>
            <source>No problem</source>
            <translation>无问题</translation>
        </message>
        <message>
            <source>No range selected</source>
            <translation>未选择范围</translation>
        </message>
        <message>
            <source>No rank has step times</source>
            <translation>没有卡有迭代时间</translation>
        </message>
        <message>
            <source>No rank has step times here</source>
            <translation>此处没有卡有迭代时间</translation>
        </message>
        <message>
            <source>No rank keeps the others waiting in collective operators.</source>
            <translation>没有卡在集合通信中让其他卡等待。</translation>
        </message>
        <message>
            <source>No rank makes others wait.</source>
            <translation>没有卡让其他卡等待。</translation>
        </message>
        <message>
            <source>No ranks are open. The Summary page compares the ranks of one job: open the folder above them.</source>
            <translation>没有打开任何卡。概览页比较一个作业的各张卡：请打开它们的上级文件夹。</translation>
        </message>
        <message>
            <source>No recorded row</source>
            <translation>没有记录行</translation>
        </message>
        <message>
            <source>No records for this grouping</source>
            <translation>该分组没有记录</translation>
        </message>
        <message>
            <source>No request arrived in this time.</source>
            <translation>该时间段内没有请求到达。</translation>
        </message>
        <message>
            <source>No request was preempted.</source>
            <translation>没有请求被抢占。</translation>
        </message>
        <message>
            <source>No requests</source>
            <translation>没有请求</translation>
        </message>
        <message>
            <source>No roofline here</source>
            <translation>此处没有 Roofline</translation>
        </message>
        <message>
            <source>No row in the chosen range</source>
            <translation>所选范围内没有数据行</translation>
        </message>
        <message>
            <source>No row of the result has a time.</source>
            <translation>结果中没有带时间的行。</translation>
        </message>
        <message>
            <source>No row passes the filters.</source>
            <translation>没有符合筛选条件的行。</translation>
        </message>
        <message>
            <source>No rows</source>
            <translation>没有数据行</translation>
        </message>
        <message>
            <source>No rule found anything that takes a noticeable part of a step.</source>
            <translation>没有规则发现明显占用迭代时间的问题。</translation>
        </message>
        <message>
            <source>No run has ended requests with several tokens.</source>
            <translation>没有运行包含输出多个 token 的已完成请求。</translation>
        </message>
        <message>
            <source>No run to place</source>
            <translation>没有可绘制的运行</translation>
        </message>
        <message>
            <source>No serving run is open</source>
            <translation>未打开服务化运行</translation>
        </message>
        <message>
            <source>No shape</source>
            <translation>无 Shape</translation>
        </message>
        <message>
            <source>No sizes of queues</source>
            <translation>没有队列长度</translation>
        </message>
        <message>
            <source>No slice selected</source>
            <translation>未选择切片</translation>
        </message>
        <message>
            <source>No slices</source>
            <translation>没有切片</translation>
        </message>
        <message>
            <source>No slices in the range</source>
            <translation>范围内没有切片</translation>
        </message>
        <message>
            <source>No source text</source>
            <translation>没有源码</translation>
        </message>
        <message>
            <source>No step delayed tokens of others.</source>
            <translation>没有步延迟其他请求的 token。</translation>
        </message>
        <message>
            <source>No steps</source>
            <translation>没有步</translation>
        </message>
        <message>
            <source>No text of this source</source>
            <translation>没有此文件的源码</translation>
        </message>
        <message>
            <source>No times</source>
            <translation>没有时间</translation>
        </message>
        <message>
            <source>No times: shown by row</source>
            <translation>没有时间：按行号显示</translation>
        </message>
        <message>
            <source>No transfers</source>
            <translation>没有传输</translation>
        </message>
        <message>
            <source>No values of {0}</source>
            <translation>没有 {0} 的值</translation>
        </message>
        <message>
            <source>No.</source>
            <translation>序号</translation>
        </message>
        <message>
            <source>Nobody waited for this rank.</source>
            <translation>没有卡等待这张卡。</translation>
        </message>
        <message>
            <source>Node Index</source>
            <translation>节点序号</translation>
        </message>
        <message>
            <source>Node Index End</source>
            <translation>节点结束序号</translation>
        </message>
        <message>
            <source>Node Index Start</source>
            <translation>节点起始序号</translation>
        </message>
        <message>
            <source>Node Type</source>
            <translation>节点类型</translation>
        </message>
        <message>
            <source>Nodes</source>
            <translation>节点</translation>
        </message>
        <message>
            <source>None</source>
            <translation>无</translation>
        </message>
        <message>
            <source>None is at least 10 % shorter than the one that waits longest.</source>
            <translation>没有卡比等待最久的卡短 10 % 以上。</translation>
        </message>
        <message>
            <source>Not drawn: {0}</source>
            <translation>未画出：{0}</translation>
        </message>
        <message>
            <source>Not freed</source>
            <translation>未释放</translation>
        </message>
        <message>
            <source>Not freed, and the file tells nothing of the end: shown as a survivor</source>
            <translation>未释放，且文件没有结束时的信息：按存活显示</translation>
        </message>
        <message>
            <source>Not released in the range</source>
            <translation>区间内未释放</translation>
        </message>
        <message>
            <source>Not seen</source>
            <translation>未发现原因</translation>
        </message>
        <message>
            <source>Not with a comparison.</source>
            <translation>比较时不提供。</translation>
        </message>
        <message>
            <source>Notes</source>
            <translation>说明</translation>
        </message>
        <message>
            <source>Notes on the data</source>
            <translation>数据说明</translation>
        </message>
        <message>
            <source>Nothing can be opened.</source>
            <translation>没有可以打开的内容。</translation>
        </message>
        <message>
            <source>Nothing found</source>
            <translation>未找到</translation>
        </message>
        <message>
            <source>Nothing in the time filter</source>
            <translation>时间过滤范围内没有数据</translation>
        </message>
        <message>
            <source>Nothing in {where} can be opened.</source>
            <translation>{where} 中没有可以打开的内容。</translation>
        </message>
        <message>
            <source>Nothing is selected</source>
            <translation>未选中任何内容</translation>
        </message>
        <message>
            <source>Nothing is selected.</source>
            <translation>未选中任何内容。</translation>
        </message>
        <message>
            <source>Nothing of it touches the time filter. Clear the filter to see the whole data.</source>
            <translation>没有数据落在时间过滤范围内。清除过滤可查看全部数据。</translation>
        </message>
        <message>
            <source>Nothing searched yet</source>
            <translation>尚未搜索</translation>
        </message>
        <message>
            <source>Nothing selected</source>
            <translation>未选中任何内容</translation>
        </message>
        <message>
            <source>Nothing submitted</source>
            <translation>没有下发任务</translation>
        </message>
        <message>
            <source>Nothing tells when requests came and went.</source>
            <translation>数据未说明请求何时到达与离开。</translation>
        </message>
        <message>
            <source>Nothing to compare.</source>
            <translation>没有可比较的内容。</translation>
        </message>
        <message>
            <source>Nothing to report</source>
            <translation>没有需要说明的内容</translation>
        </message>
        <message>
            <source>Nothing was read yet. The files are not changed.</source>
            <translation>尚未读取任何内容，文件不会被修改。</translation>
        </message>
        <message>
            <source>Nothing was written beside the data</source>
            <translation>没有在数据旁写入任何内容</translation>
        </message>
        <message>
            <source>Nothing went over SDMA or RDMA, so there is no bandwidth to judge.</source>
            <translation>没有数据经过 SDMA 或 RDMA，因此没有可评价的带宽。</translation>
        </message>
        <message>
            <source>Num Calls</source>
            <translation>调用次数</translation>
        </message>
        <message>
            <source>Num of Request</source>
            <translation>请求数</translation>
        </message>
        <message>
            <source>Number</source>
            <translation>次数</translation>
        </message>
        <message>
            <source>Number of events</source>
            <translation>事件数</translation>
        </message>
        <message>
            <source>Number of rows</source>
            <translation>行数</translation>
        </message>
        <message>
            <source>Number of the hit</source>
            <translation>结果序号</translation>
        </message>
        <message>
            <source>OK</source>
            <translation>确定</translation>
        </message>
        <message>
            <source>Occurrences</source>
            <translation>出现次数</translation>
        </message>
        <message>
            <source>Occurrences: slices that touch the range</source>
            <translation>出现次数：与范围相交的切片</translation>
        </message>
        <message>
            <source>Of</source>
            <translation>总数</translation>
        </message>
        <message>
            <source>Of eight equal parts of the range, those in which blocks were added that stay.</source>
            <translation>将区间等分为八段，其中新增未释放内存块的段数。</translation>
        </message>
        <message>
            <source>Of the nearest roof</source>
            <translation>达到最近屋顶的比例</translation>
        </message>
        <message>
            <source>Of {0} steps on several cards the slowest took {1} times the mean ({2} at P99); process {3} was it {4} times.</source>
            <translation>在 {0} 个多卡步中，最慢的卡耗时为均值的 {1} 倍（P99 为 {2}）；进程 {3} 有 {4} 次最慢。</translation>
        </message>
        <message>
            <source>Offset</source>
            <translation>偏移</translation>
        </message>
        <message>
            <source>On the path</source>
            <translation>路径上的时间</translation>
        </message>
        <message>
            <source>On-Chip Memory</source>
            <translation>片上内存</translation>
        </message>
        <message>
            <source>One session can be open at a time; {name} was opened.</source>
            <translation>一次只能打开一个会话；已打开 {name}。</translation>
        </message>
        <message>
            <source>Only Related Instructions</source>
            <translation>仅相关指令</translation>
        </message>
        <message>
            <source>Only Show Inefficient Blocks</source>
            <translation>仅显示低效内存块</translation>
        </message>
        <message>
            <source>Only a part of the trace was read; press to choose another one or to read everything</source>
            <translation>只读取了轨迹的一部分；点击可改选范围或读取全部</translation>
        </message>
        <message>
            <source>Only blocks not released in the range</source>
            <translation>仅显示区间内未释放的内存块</translation>
        </message>
        <message>
            <source>Only display the first {0} Instructions</source>
            <translation>仅显示前 {0} 条指令</translation>
        </message>
        <message>
            <source>Only in comparison: {0}, only in baseline: {1}.</source>
            <translation>仅对比数据有：{0}，仅基线数据有：{1}。</translation>
        </message>
        <message>
            <source>Only show allocated or released within the selected interval</source>
            <translation>只显示在选中区间内分配或释放的</translation>
        </message>
        <message>
            <source>Only streams can be merged.</source>
            <translation>只能合并 Stream 泳道。</translation>
        </message>
        <message>
            <source>Only the entry and its view go. The profiling files on the disk stay as they are.</source>
            <translation>只删除条目及其视图，磁盘上的性能数据文件保持不变。</translation>
        </message>
        <message>
            <source>Op Type</source>
            <translation>算子类型</translation>
        </message>
        <message>
            <source>Open</source>
            <translation>打开</translation>
        </message>
        <message>
            <source>Open a .pickle, .pkl or .json file that torch.cuda.memory._dump_snapshot or torch_npu.npu.memory._dump_snapshot wrote.</source>
            <translation>请打开由 torch.cuda.memory._dump_snapshot 或 torch_npu.npu.memory._dump_snapshot 生成的 .pickle、.pkl 或 .json 文件。</translation>
        </message>
        <message>
            <source>Open a memscope_dump_*.db or .csv file, or wait until it is read.</source>
            <translation>打开 memscope_dump_*.db 或 .csv 文件，或等待读取完成。</translation>
        </message>
        <message>
            <source>Open a profile</source>
            <translation>打开性能数据</translation>
        </message>
        <message>
            <source>Open a visualize_data.bin of msprof op or its simulator.</source>
            <translation>请打开 msprof op 或其仿真器生成的 visualize_data.bin。</translation>
        </message>
        <message>
            <source>Open data</source>
            <translation>已打开的数据</translation>
        </message>
        <message>
            <source>Open files</source>
            <translation>打开文件</translation>
        </message>
        <message>
            <source>Open file…</source>
            <translation>打开文件…</translation>
        </message>
        <message>
            <source>Open folder</source>
            <translation>打开文件夹</translation>
        </message>
        <message>
            <source>Open folder…</source>
            <translation>打开文件夹…</translation>
        </message>
        <message>
            <source>Open in Find</source>
            <translation>在查找中打开</translation>
        </message>
        <message>
            <source>Open its data too.</source>
            <translation>请同时打开其数据。</translation>
        </message>
        <message>
            <source>Open log folder</source>
            <translation>打开日志文件夹</translation>
        </message>
        <message>
            <source>Open more data</source>
            <translation>打开更多数据</translation>
        </message>
        <message>
            <source>Open session</source>
            <translation>打开会话</translation>
        </message>
        <message>
            <source>Open session…</source>
            <translation>打开会话…</translation>
        </message>
        <message>
            <source>Open the last project at the start</source>
            <translation>启动时打开上次的项目</translation>
        </message>
        <message>
            <source>Open the memory_info.json that the Triton compiler wrote.</source>
            <translation>请打开 Triton 编译器写出的 memory_info.json。</translation>
        </message>
        <message>
            <source>Open the others one after the other.</source>
            <translation>请逐个打开其余会话。</translation>
        </message>
        <message>
            <source>Open two cards, and choose one for A and one for B.</source>
            <translation>请打开两张卡，分别选作 A 和 B。</translation>
        </message>
        <message>
            <source>Open {0}</source>
            <translation>打开{0}</translation>
        </message>
        <message>
            <source>Opens as a new project.</source>
            <translation>将作为新项目打开。</translation>
        </message>
        <message>
            <source>Operation</source>
            <translation>操作</translation>
        </message>
        <message>
            <source>Operator</source>
            <translation>算子</translation>
        </message>
        <message>
            <source>Operator Details</source>
            <translation>算子详情</translation>
        </message>
        <message>
            <source>Operator Name</source>
            <translation>算子名称</translation>
        </message>
        <message>
            <source>Operator Type</source>
            <translation>算子类型</translation>
        </message>
        <message>
            <source>Operator has nothing to show for card {0}</source>
            <translation>卡 {0} 没有可显示的算子</translation>
        </message>
        <message>
            <source>Operator profiles of an addition and a matrix product</source>
            <translation>加法与矩阵乘的算子性能数据</translation>
        </message>
        <message>
            <source>Operators</source>
            <translation>算子</translation>
        </message>
        <message>
            <source>Operators Dispatch</source>
            <translation>算子下发</translation>
        </message>
        <message>
            <source>Operators Fusion</source>
            <translation>算子融合</translation>
        </message>
        <message>
            <source>Operators below {contention} GB/s over SDMA while a matrix multiplication runs on the same rank.</source>
            <translation>同一卡上与矩阵乘同时执行、SDMA 带宽低于 {contention} GB/s 的算子。</translation>
        </message>
        <message>
            <source>Operators below {sdma} MB over SDMA or {rdma} MB over RDMA are small; more than {share} of them is an issue.</source>
            <translation>SDMA 低于 {sdma} MB、RDMA 低于 {rdma} MB 的算子为小包；占比超过 {share} 即为异常。</translation>
        </message>
        <message>
            <source>Operators of a shared group end together on all ranks. Cards without matches keep their place.</source>
            <translation>同一通信域的算子在各 rank 上同时结束。没有匹配的卡保持原位。</translation>
        </message>
        <message>
            <source>Operators of rank {0}</source>
            <translation>卡 {0} 的算子</translation>
        </message>
        <message>
            <source>Operators per rank</source>
            <translation>通信算子缩略图</translation>
        </message>
        <message>
            <source>Operators that are compiled while they run.</source>
            <translation>在运行时编译的算子。</translation>
        </message>
        <message>
            <source>Operators that are launched often one by one.</source>
            <translation>频繁逐个下发的算子。</translation>
        </message>
        <message>
            <source>Operators that move more than {alignment} bytes over SDMA in a size that is no multiple of {alignment} bytes.</source>
            <translation>通过 SDMA 传输超过 {alignment} 字节、且大小不是 {alignment} 字节整数倍的算子。</translation>
        </message>
        <message>
            <source>Operators that one call of the NPU library can replace.</source>
            <translation>可由一次 NPU 库调用替换的算子。</translation>
        </message>
        <message>
            <source>Operators that run on the slow AI CPU.</source>
            <translation>运行在较慢的 AI CPU 上的算子。</translation>
        </message>
        <message>
            <source>Operators that take at least {retransmission} ms on every rank and more than {retransmission} ms over RDMA on one.</source>
            <translation>在每张卡上至少耗时 {retransmission} ms、且某张卡的 RDMA 时间超过 {retransmission} ms 的算子。</translation>
        </message>
        <message>
            <source>Optimizers with a fused version for the NPU.</source>
            <translation>有 NPU 融合版本的优化器。</translation>
        </message>
        <message>
            <source>Options</source>
            <translation>选项</translation>
        </message>
        <message>
            <source>Order By</source>
            <translation>排序方式</translation>
        </message>
        <message>
            <source>Order by it</source>
            <translation>按此排序</translation>
        </message>
        <message>
            <source>Origin API</source>
            <translation>原始 API</translation>
        </message>
        <message>
            <source>Origin Operators</source>
            <translation>原始算子</translation>
        </message>
        <message>
            <source>Origin Optimizer</source>
            <translation>原始优化器</translation>
        </message>
        <message>
            <source>Other colour…</source>
            <translation>其他颜色…</translation>
        </message>
        <message>
            <source>Other shapes</source>
            <translation>其他 Shape</translation>
        </message>
        <message>
            <source>Others ({0})</source>
            <translation>其他 ({0})</translation>
        </message>
        <message>
            <source>Otherwise they are cut to the range</source>
            <translation>否则按范围截断</translation>
        </message>
        <message>
            <source>Out</source>
            <translation>输出</translation>
        </message>
        <message>
            <source>Out of memory</source>
            <translation>内存不足</translation>
        </message>
        <message>
            <source>Out of memory: fragmentation</source>
            <translation>内存不足：碎片化</translation>
        </message>
        <message>
            <source>Out of memory: the device was full</source>
            <translation>内存不足：设备内存已满</translation>
        </message>
        <message>
            <source>Out of memory: the free memory belongs to another stream or pool</source>
            <translation>内存不足：空闲内存属于其他流或内存池</translation>
        </message>
        <message>
            <source>Outliers</source>
            <translation>离群值</translation>
        </message>
        <message>
            <source>Output</source>
            <translation>输出</translation>
        </message>
        <message>
            <source>Output Data Types</source>
            <translation>输出数据类型</translation>
        </message>
        <message>
            <source>Output Formats</source>
            <translation>输出格式</translation>
        </message>
        <message>
            <source>Output Shapes</source>
            <translation>输出形状</translation>
        </message>
        <message>
            <source>Output tokens</source>
            <translation>输出 token</translation>
        </message>
        <message>
            <source>Output tokens of the best second</source>
            <translation>最佳一秒的输出 token</translation>
        </message>
        <message>
            <source>Overall</source>
            <translation>全局</translation>
        </message>
        <message>
            <source>Overall Metrics</source>
            <translation>总体指标</translation>
        </message>
        <message>
            <source>Overall: reserved, allocated and active memory of all operators, and the total of the process</source>
            <translation>全局：所有算子的预留、分配和激活内存，以及进程总内存</translation>
        </message>
        <message>
            <source>Overlap Analysis</source>
            <translation>重叠分析</translation>
        </message>
        <message>
            <source>Overlaps</source>
            <translation>重叠</translation>
        </message>
        <message>
            <source>Overview</source>
            <translation>概览</translation>
        </message>
        <message>
            <source>Overview of the whole axis</source>
            <translation>整个轴的概览</translation>
        </message>
        <message>
            <source>Overview of the whole time</source>
            <translation>全时段概览</translation>
        </message>
        <message>
            <source>Own</source>
            <translation>自身</translation>
        </message>
        <message>
            <source>Own decode</source>
            <translation>自身 Decode</translation>
        </message>
        <message>
            <source>Own prefill</source>
            <translation>自身 Prefill</translation>
        </message>
        <message>
            <source>Own task names go into {file}.</source>
            <translation>自定义任务名称写入 {file}。</translation>
        </message>
        <message>
            <source>Owner</source>
            <translation>归属</translation>
        </message>
        <message>
            <source>Owner with more than 20 levels</source>
            <translation>超过 20 级的归属</translation>
        </message>
        <message>
            <source>Owner, first level</source>
            <translation>归属（第一级）</translation>
        </message>
        <message>
            <source>Owner, three levels</source>
            <translation>归属（前三级）</translation>
        </message>
        <message>
            <source>Owner, two levels</source>
            <translation>归属（前两级）</translation>
        </message>
        <message>
            <source>Owners</source>
            <translation>归属</translation>
        </message>
        <message>
            <source>P50</source>
            <translation>P50</translation>
        </message>
        <message>
            <source>P90 of this run</source>
            <translation>本次运行的 P90</translation>
        </message>
        <message>
            <source>P95</source>
            <translation>P95</translation>
        </message>
        <message>
            <source>PID</source>
            <translation>PID</translation>
        </message>
        <message>
            <source>PID/TID</source>
            <translation>PID/TID</translation>
        </message>
        <message>
            <source>PP · TP · CP · DP against {0} devices</source>
            <translation>PP · TP · CP · DP 与 {0} 个设备</translation>
        </message>
        <message>
            <source>PP · TP · CP · DP is {0}, fewer than the {1} devices.</source>
            <translation>PP · TP · CP · DP 为 {0}，少于设备数 {1}。</translation>
        </message>
        <message>
            <source>Packet Analysis</source>
            <translation>小包分析</translation>
        </message>
        <message>
            <source>Packet Distribution</source>
            <translation>通信包分析</translation>
        </message>
        <message>
            <source>Packet Number</source>
            <translation>包数量</translation>
        </message>
        <message>
            <source>Pan</source>
            <translation>平移</translation>
        </message>
        <message>
            <source>Pan by 5 % of the view</source>
            <translation>平移视图的 5 %</translation>
        </message>
        <message>
            <source>Pan with the mouse</source>
            <translation>用鼠标平移</translation>
        </message>
        <message>
            <source>Parallel Strategy Analysis</source>
            <translation>并行策略分析</translation>
        </message>
        <message>
            <source>Parallel layout</source>
            <translation>并行布局</translation>
        </message>
        <message>
            <source>Pareto (ABC)</source>
            <translation>帕累托 (ABC)</translation>
        </message>
        <message>
            <source>Parquet (.parquet)</source>
            <translation>Parquet (.parquet)</translation>
        </message>
        <message>
            <source>Parse Cards of Related Group ({0})</source>
            <translation>解析相关通信域的卡 ({0})</translation>
        </message>
        <message>
            <source>Parsed All Cards of Related Group</source>
            <translation>相关通信域的卡已全部解析</translation>
        </message>
        <message>
            <source>Part</source>
            <translation>部分</translation>
        </message>
        <message>
            <source>Part of a step</source>
            <translation>占一个迭代的比例</translation>
        </message>
        <message>
            <source>Part of the duration after the step before it had ended.</source>
            <translation>前一步结束之后的那部分时长。</translation>
        </message>
        <message>
            <source>Part of the range in which at least one slice of the name runs</source>
            <translation>范围内至少有一个该名称切片在运行的时间占比</translation>
        </message>
        <message>
            <source>Parts with growth</source>
            <translation>增长段数</translation>
        </message>
        <message>
            <source>Passes</source>
            <translation>次数</translation>
        </message>
        <message>
            <source>Paste a path, with or without quotes or file://</source>
            <translation>粘贴路径，可带引号或 file://</translation>
        </message>
        <message>
            <source>Path</source>
            <translation>路径</translation>
        </message>
        <message>
            <source>Peak Memory Reserved(MB)</source>
            <translation>峰值预留内存(MB)</translation>
        </message>
        <message>
            <source>Peak Memory Usage</source>
            <translation>内存使用峰值</translation>
        </message>
        <message>
            <source>Peak event</source>
            <translation>峰值事件</translation>
        </message>
        <message>
            <source>Peak of Operators Reserved minus peak of Operators Allocated</source>
            <translation>Operators Reserved 峰值减去 Operators Allocated 峰值</translation>
        </message>
        <message>
            <source>Peak reserved</source>
            <translation>预留峰值</translation>
        </message>
        <message>
            <source>Peak {0}, mean {1} over time, {2} of the time at 90 % and more.</source>
            <translation>峰值 {0}，按时间平均 {1}，{2} 的时间达到 90 % 及以上。</translation>
        </message>
        <message>
            <source>Peak {size}</source>
            <translation>峰值 {size}</translation>
        </message>
        <message>
            <source>Peak {size} at {time}</source>
            <translation>峰值 {size}，位于 {time}</translation>
        </message>
        <message>
            <source>Peak(%)</source>
            <translation>峰值(%)</translation>
        </message>
        <message>
            <source>Pending free</source>
            <translation>等待释放</translation>
        </message>
        <message>
            <source>Per card (tok/s)</source>
            <translation>每卡 (tok/s)</translation>
        </message>
        <message>
            <source>Per user (tok/s)</source>
            <translation>每用户 (tok/s)</translation>
        </message>
        <message>
            <source>Percentiles: linear interpolation</source>
            <translation>百分位：线性插值</translation>
        </message>
        <message>
            <source>Performance</source>
            <translation>性能</translation>
        </message>
        <message>
            <source>Performance (TOps/s)</source>
            <translation>性能 (TOps/s)</translation>
        </message>
        <message>
            <source>Performance Metric</source>
            <translation>性能指标</translation>
        </message>
        <message>
            <source>Performance Ratio</source>
            <translation>性能占比</translation>
        </message>
        <message>
            <source>Picture of the allocator…</source>
            <translation>内存池状态图图片…</translation>
        </message>
        <message>
            <source>Picture or numbers of the chart…</source>
            <translation>图表的图片或数据…</translation>
        </message>
        <message>
            <source>Pid</source>
            <translation>Pid</translation>
        </message>
        <message>
            <source>Pin</source>
            <translation>置顶</translation>
        </message>
        <message>
            <source>Pin A</source>
            <translation>固定 A</translation>
        </message>
        <message>
            <source>Pin A at its malloc</source>
            <translation>在其申请时刻固定 A</translation>
        </message>
        <message>
            <source>Pin Same-named Lane ({0})</source>
            <translation>置顶同名泳道 ({0})</translation>
        </message>
        <message>
            <source>Pinned lane names</source>
            <translation>置顶泳道名称</translation>
        </message>
        <message>
            <source>Pinned lanes</source>
            <translation>置顶泳道</translation>
        </message>
        <message>
            <source>Pipe</source>
            <translation>流水线</translation>
        </message>
        <message>
            <source>Pipe Utilization</source>
            <translation>流水利用率</translation>
        </message>
        <message>
            <source>Pipeline</source>
            <translation>流水</translation>
        </message>
        <message>
            <source>Pipeline Parallelism</source>
            <translation>流水线并行</translation>
        </message>
        <message>
            <source>Pipeline Parallelism Chart</source>
            <translation>流水并行图</translation>
        </message>
        <message>
            <source>Pipeline2 Time</source>
            <translation>二级流水时间</translation>
        </message>
        <message>
            <source>Pipes</source>
            <translation>流水线</translation>
        </message>
        <message>
            <source>Please click on the chart above to view memory layout</source>
            <translation>请点击上方图表查看内存布局</translation>
        </message>
        <message>
            <source>Pool size differs from the running sum</source>
            <translation>内存池大小与累计值不同</translation>
        </message>
        <message>
            <source>Pools and streams</source>
            <translation>内存池与流</translation>
        </message>
        <message>
            <source>Position in the draft</source>
            <translation>草稿中的位置</translation>
        </message>
        <message>
            <source>Preempted at</source>
            <translation>抢占时间</translation>
        </message>
        <message>
            <source>Preemption</source>
            <translation>抢占</translation>
        </message>
        <message>
            <source>Preemptions</source>
            <translation>抢占</translation>
        </message>
        <message>
            <source>Prefer ZeRO1 or ZeRO2 to ZeRO3 when the memory allows it.</source>
            <translation>内存允许时，优先使用 ZeRO1 或 ZeRO2 而不是 ZeRO3。</translation>
        </message>
        <message>
            <source>Prefill</source>
            <translation>Prefill</translation>
        </message>
        <message>
            <source>Prefill of others</source>
            <translation>其他请求的 Prefill</translation>
        </message>
        <message>
            <source>Prefill speed</source>
            <translation>Prefill 速度</translation>
        </message>
        <message>
            <source>Prefill tokens</source>
            <translation>Prefill token 数</translation>
        </message>
        <message>
            <source>Prepare Time</source>
            <translation>准备时间</translation>
        </message>
        <message>
            <source>Preparing</source>
            <translation>预处理时间</translation>
        </message>
        <message>
            <source>Presets</source>
            <translation>预设</translation>
        </message>
        <message>
            <source>Press the new keys in the field first.</source>
            <translation>请先在输入框中按下新按键。</translation>
        </message>
        <message>
            <source>Previous area of the window</source>
            <translation>窗口的上一区域</translation>
        </message>
        <message>
            <source>Previous card</source>
            <translation>上一张卡</translation>
        </message>
        <message>
            <source>Previous event of this block</source>
            <translation>该内存块的上一个事件</translation>
        </message>
        <message>
            <source>Previous hit</source>
            <translation>上一个结果</translation>
        </message>
        <message>
            <source>Previous match</source>
            <translation>上一处</translation>
        </message>
        <message>
            <source>Previous slice of the lane</source>
            <translation>泳道的上一个切片</translation>
        </message>
        <message>
            <source>Previous slice of this name</source>
            <translation>上一个同名切片</translation>
        </message>
        <message>
            <source>Previous step</source>
            <translation>上一步</translation>
        </message>
        <message>
            <source>Problem</source>
            <translation>问题</translation>
        </message>
        <message>
            <source>Process</source>
            <translation>进程</translation>
        </message>
        <message>
            <source>Process / thread</source>
            <translation>进程 / 线程</translation>
        </message>
        <message>
            <source>Process ID</source>
            <translation>进程 ID</translation>
        </message>
        <message>
            <source>Process Id</source>
            <translation>进程 ID</translation>
        </message>
        <message>
            <source>Profiling</source>
            <translation>Profiling</translation>
        </message>
        <message>
            <source>Profiling data</source>
            <translation>性能数据</translation>
        </message>
        <message>
            <source>Profiling session duration</source>
            <translation>Profiling数据采集时长</translation>
        </message>
        <message>
            <source>Projects and cards</source>
            <translation>项目和卡</translation>
        </message>
        <message>
            <source>Prompt length (tokens)</source>
            <translation>提示词长度 (tokens)</translation>
        </message>
        <message>
            <source>Proportion of events</source>
            <translation>事件占比</translation>
        </message>
        <message>
            <source>Proportion of events(%)</source>
            <translation>事件占比(%)</translation>
        </message>
        <message>
            <source>Python API Summary</source>
            <translation>Python API 汇总</translation>
        </message>
        <message>
            <source>Python API Time</source>
            <translation>Python API 时间</translation>
        </message>
        <message>
            <source>Python API Trace</source>
            <translation>Python API 明细</translation>
        </message>
        <message>
            <source>Python stacks</source>
            <translation>Python 调用栈</translation>
        </message>
        <message>
            <source>Queries used before, and examples</source>
            <translation>用过的查询和示例</translation>
        </message>
        <message>
            <source>Query</source>
            <translation>查询</translation>
        </message>
        <message>
            <source>Query {0}</source>
            <translation>查询 {0}</translation>
        </message>
        <message>
            <source>Queue</source>
            <translation>排队</translation>
        </message>
        <message>
            <source>Queue P90</source>
            <translation>排队 P90</translation>
        </message>
        <message>
            <source>Queue Time</source>
            <translation>排队时间</translation>
        </message>
        <message>
            <source>Queue recorded</source>
            <translation>排队记录值</translation>
        </message>
        <message>
            <source>Queues</source>
            <translation>队列</translation>
        </message>
        <message>
            <source>Quit</source>
            <translation>退出</translation>
        </message>
        <message>
            <source>RDMA BW</source>
            <translation>RDMA带宽</translation>
        </message>
        <message>
            <source>RL</source>
            <translation>强化学习</translation>
        </message>
        <message>
            <source>Range {0}</source>
            <translation>范围 {0}</translation>
        </message>
        <message>
            <source>Range {0} ms</source>
            <translation>区间 {0} ms</translation>
        </message>
        <message>
            <source>Range {span}</source>
            <translation>范围 {span}</translation>
        </message>
        <message>
            <source>Rank</source>
            <translation>卡序号</translation>
        </message>
        <message>
            <source>Rank Group</source>
            <translation>通信域</translation>
        </message>
        <message>
            <source>Rank ID</source>
            <translation>卡序号</translation>
        </message>
        <message>
            <source>Rank ID / Operator Name</source>
            <translation>卡号 / 算子名称</translation>
        </message>
        <message>
            <source>Rank {0}</source>
            <translation>卡 {0}</translation>
        </message>
        <message>
            <source>Rank {0} arrives last: rank {1} waits {2} ms longer in step {3}.</source>
            <translation>卡 {0} 最后到达：迭代 {3} 中卡 {1} 多等待 {2} ms。</translation>
        </message>
        <message>
            <source>Rank {0} has no timeline.</source>
            <translation>卡 {0} 没有时间线。</translation>
        </message>
        <message>
            <source>Rank {0} is being read for the Timeline.</source>
            <translation>正在为时间线读取卡 {0}。</translation>
        </message>
        <message>
            <source>Rank {0} makes the others wait {1} ms per step.</source>
            <translation>卡 {0} 使其他卡每迭代等待 {1} ms。</translation>
        </message>
        <message>
            <source>Rank × step</source>
            <translation>卡 × 迭代</translation>
        </message>
        <message>
            <source>Ranks</source>
            <translation>Rank 列表</translation>
        </message>
        <message>
            <source>Ranks that waited</source>
            <translation>等待的卡数</translation>
        </message>
        <message>
            <source>Rated Frequency (MHz)</source>
            <translation>额定频率 (MHz)</translation>
        </message>
        <message>
            <source>Ratio</source>
            <translation>占比</translation>
        </message>
        <message>
            <source>Ratio (%)</source>
            <translation>占比 (%)</translation>
        </message>
        <message>
            <source>Ratio: {0}</source>
            <translation>占比：{0}</translation>
        </message>
        <message>
            <source>Raw time at 0</source>
            <translation>0 处的原始时间</translation>
        </message>
        <message>
            <source>Read</source>
            <translation>读取</translation>
        </message>
        <message>
            <source>Read again</source>
            <translation>重新读取</translation>
        </message>
        <message>
            <source>Read all cards</source>
            <translation>读取全部卡</translation>
        </message>
        <message>
            <source>Read all events</source>
            <translation>读取全部事件</translation>
        </message>
        <message>
            <source>Read only events</source>
            <translation>只读取部分事件</translation>
        </message>
        <message>
            <source>Read only events…</source>
            <translation>只读取部分事件…</translation>
        </message>
        <message>
            <source>Read only the visible range</source>
            <translation>只读取可见范围</translation>
        </message>
        <message>
            <source>Read rank {0}</source>
            <translation>读取卡 {0}</translation>
        </message>
        <message>
            <source>Read the cards in the data panel first.</source>
            <translation>请先在数据面板中读取卡。</translation>
        </message>
        <message>
            <source>Read the current card again</source>
            <translation>重新读取当前卡</translation>
        </message>
        <message>
            <source>Read this card</source>
            <translation>读取此卡</translation>
        </message>
        <message>
            <source>Read this card again</source>
            <translation>重新读取此卡</translation>
        </message>
        <message>
            <source>Reading the data of the job…</source>
            <translation>正在读取集群数据…</translation>
        </message>
        <message>
            <source>Reading the source…</source>
            <translation>正在读取源码…</translation>
        </message>
        <message>
            <source>Reads in place. Your files are never changed, and nothing leaves this machine.</source>
            <translation>就地读取。从不修改您的文件，数据不会离开本机。</translation>
        </message>
        <message>
            <source>Ready</source>
            <translation>就绪</translation>
        </message>
        <message>
            <source>Real time</source>
            <translation>真实时间</translation>
        </message>
        <message>
            <source>Reason</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>Recent</source>
            <translation>最近</translation>
        </message>
        <message>
            <source>Reclaimable</source>
            <translation>可回收</translation>
        </message>
        <message>
            <source>Recomputed tokens</source>
            <translation>重算 token 数</translation>
        </message>
        <message>
            <source>Record ftrace events of sched and irq beside the profiler, convert them and open them together with the profile.</source>
            <translation>在性能采集的同时记录 sched 和 irq 的 ftrace 事件，转换后与性能数据一起打开。</translation>
        </message>
        <message>
            <source>Recorded</source>
            <translation>记录值</translation>
        </message>
        <message>
            <source>Recorded {0} h off the events: aligned</source>
            <translation>记录时间与事件相差 {0} 小时：已对齐</translation>
        </message>
        <message>
            <source>Recover cards default offset</source>
            <translation>恢复各卡默认偏移</translation>
        </message>
        <message>
            <source>Redo</source>
            <translation>重做</translation>
        </message>
        <message>
            <source>Redo zoom</source>
            <translation>重做缩放</translation>
        </message>
        <message>
            <source>Refresh</source>
            <translation>刷新</translation>
        </message>
        <message>
            <source>Regular expression</source>
            <translation>正则表达式</translation>
        </message>
        <message>
            <source>Related Instructions Count : {0}</source>
            <translation>相关指令数：{0}</translation>
        </message>
        <message>
            <source>Release Time(ms)</source>
            <translation>释放时间(ms)</translation>
        </message>
        <message>
            <source>Release Total Active(MB)</source>
            <translation>释放时总激活(MB)</translation>
        </message>
        <message>
            <source>Release Total Allocated(MB)</source>
            <translation>释放时总分配(MB)</translation>
        </message>
        <message>
            <source>Release Total Reserved(MB)</source>
            <translation>释放时总预留(MB)</translation>
        </message>
        <message>
            <source>Release minus allocation; 0 when it was not released</source>
            <translation>释放时间减去申请时间；未释放时为 0</translation>
        </message>
        <message>
            <source>Relink</source>
            <translation>重新关联</translation>
        </message>
        <message>
            <source>Relink the project to the place where the data lie now.</source>
            <translation>请将项目重新关联到数据的当前位置。</translation>
        </message>
        <message>
            <source>Relink…</source>
            <translation>重新关联…</translation>
        </message>
        <message>
            <source>Remember the marked time; Owners then show the difference to it</source>
            <translation>记住标记的时刻，归属表将显示与其的差异</translation>
        </message>
        <message>
            <source>Remove</source>
            <translation>移除</translation>
        </message>
        <message>
            <source>Remove Time Range Analysis</source>
            <translation>取消时间范围分析</translation>
        </message>
        <message>
            <source>Remove all flags?</source>
            <translation>移除所有标记？</translation>
        </message>
        <message>
            <source>Remove the flag of this range</source>
            <translation>移除此范围的标记</translation>
        </message>
        <message>
            <source>Remove the lane of the query</source>
            <translation>移除查询泳道</translation>
        </message>
        <message>
            <source>Remove this generated curve</source>
            <translation>移除该生成曲线</translation>
        </message>
        <message>
            <source>Rename</source>
            <translation>重命名</translation>
        </message>
        <message>
            <source>Repaired: the source gives no end, or one before the start. It is shown with zero length.</source>
            <translation>已修复：源数据没有结束时间，或结束早于开始，因此按零长度显示。</translation>
        </message>
        <message>
            <source>Replacement API</source>
            <translation>替换 API</translation>
        </message>
        <message>
            <source>Replacement Optimizer</source>
            <translation>替换优化器</translation>
        </message>
        <message>
            <source>Report capture time</source>
            <translation>文件采集时间</translation>
        </message>
        <message>
            <source>Report file</source>
            <translation>文件路径</translation>
        </message>
        <message>
            <source>Report size(MB)</source>
            <translation>文件大小(MB)</translation>
        </message>
        <message>
            <source>Request</source>
            <translation>请求</translation>
        </message>
        <message>
            <source>Request List</source>
            <translation>请求列表</translation>
        </message>
        <message>
            <source>Request {0}</source>
            <translation>请求 {0}</translation>
        </message>
        <message>
            <source>Requested</source>
            <translation>请求大小</translation>
        </message>
        <message>
            <source>Requested Size</source>
            <translation>请求大小</translation>
        </message>
        <message>
            <source>Requests</source>
            <translation>请求数</translation>
        </message>
        <message>
            <source>Requests (%)</source>
            <translation>请求 (%)</translation>
        </message>
        <message>
            <source>Requests as lanes</source>
            <translation>以泳道显示请求</translation>
        </message>
        <message>
            <source>Requests by time</source>
            <translation>请求（按时间）</translation>
        </message>
        <message>
            <source>Requests done</source>
            <translation>完成请求</translation>
        </message>
        <message>
            <source>Requests under way, mean</source>
            <translation>处理中请求均值</translation>
        </message>
        <message>
            <source>Requests, batches and a KV cache that runs short</source>
            <translation>请求、批次与不足的 KV 缓存</translation>
        </message>
        <message>
            <source>Requests: {0}</source>
            <translation>请求：{0}</translation>
        </message>
        <message>
            <source>Reserved</source>
            <translation>预留</translation>
        </message>
        <message>
            <source>Reserved but not allocated, at peak</source>
            <translation>峰值时已预留未分配</translation>
        </message>
        <message>
            <source>Reserved: memory held by the pools of PTA and GE</source>
            <translation>Reserved：PTA 和 GE 内存池持有的内存</translation>
        </message>
        <message>
            <source>Reset</source>
            <translation>重置</translation>
        </message>
        <message>
            <source>Reset view</source>
            <translation>重置视图</translation>
        </message>
        <message>
            <source>Reset zoom</source>
            <translation>重置缩放</translation>
        </message>
        <message>
            <source>Residual</source>
            <translation>残差</translation>
        </message>
        <message>
            <source>Restore all defaults</source>
            <translation>全部恢复默认</translation>
        </message>
        <message>
            <source>Restore default state</source>
            <translation>恢复默认状态</translation>
        </message>
        <message>
            <source>Restore: whole range, no selection</source>
            <translation>恢复：完整范围，无选择</translation>
        </message>
        <message>
            <source>Restore: widths and place as at first</source>
            <translation>还原：恢复初始宽度和位置</translation>
        </message>
        <message>
            <source>Result of the query</source>
            <translation>查询结果</translation>
        </message>
        <message>
            <source>Right click</source>
            <translation>右键单击</translation>
        </message>
        <message>
            <source>Role</source>
            <translation>角色</translation>
        </message>
        <message>
            <source>Roofline</source>
            <translation>Roofline</translation>
        </message>
        <message>
            <source>Row</source>
            <translation>行</translation>
        </message>
        <message>
            <source>Row number</source>
            <translation>行号</translation>
        </message>
        <message>
            <source>Row without a valid time</source>
            <translation>时间无效的行</translation>
        </message>
        <message>
            <source>Rows</source>
            <translation>行数</translation>
        </message>
        <message>
            <source>Rows of the baseline</source>
            <translation>基线的数据行</translation>
        </message>
        <message>
            <source>Rows of the curve</source>
            <translation>曲线的数据行</translation>
        </message>
        <message>
            <source>Rows of the table</source>
            <translation>表格的数据行</translation>
        </message>
        <message>
            <source>Rows without a partner</source>
            <translation>未配对的行</translation>
        </message>
        <message>
            <source>Rule</source>
            <translation>规则</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>运行</translation>
        </message>
        <message>
            <source>Run a query: its rows are shown here. The data cannot be changed.</source>
            <translation>运行查询后，结果行显示在此处。数据不会被更改。</translation>
        </message>
        <message>
            <source>Run once with the fusion of communication and multiplication off, and compare both.</source>
            <translation>关闭通信与计算融合后再运行一次，并进行对比。</translation>
        </message>
        <message>
            <source>Run the query, or the selected part of it</source>
            <translation>运行查询，或仅运行选中的部分</translation>
        </message>
        <message>
            <source>Runnable</source>
            <translation>就绪</translation>
        </message>
        <message>
            <source>Running</source>
            <translation>运行</translation>
        </message>
        <message>
            <source>Running requests per node</source>
            <translation>各节点运行中的请求</translation>
        </message>
        <message>
            <source>Running…</source>
            <translation>正在运行…</translation>
        </message>
        <message>
            <source>Runs of framework operators of a thread, without those inside others, that one fused operator can do: {n} sequences are known.</source>
            <translation>同一线程上可由一个融合算子完成的连续框架算子（不含嵌套在其他算子内的）：已知 {n} 种序列。</translation>
        </message>
        <message>
            <source>SDMA BW</source>
            <translation>SDMA带宽</translation>
        </message>
        <message>
            <source>SGLang writes none; other runs need the probe of the model.</source>
            <translation>SGLang 不写出前向；其他运行需要模型侧探针。</translation>
        </message>
        <message>
            <source>SIMT VF Instructions</source>
            <translation>SIMT VF 指令</translation>
        </message>
        <message>
            <source>SLO</source>
            <translation>SLO</translation>
        </message>
        <message>
            <source>SQL</source>
            <translation>SQL</translation>
        </message>
        <message>
            <source>SQL query</source>
            <translation>SQL 查询</translation>
        </message>
        <message>
            <source>Same</source>
            <translation>相同</translation>
        </message>
        <message>
            <source>Same name</source>
            <translation>同名切片</translation>
        </message>
        <message>
            <source>Same stretch of time as the Timeline</source>
            <translation>与时间线同步时间范围</translation>
        </message>
        <message>
            <source>Samples</source>
            <translation>示例</translation>
        </message>
        <message>
            <source>Samples||values</source>
            <translation>样本数</translation>
        </message>
        <message>
            <source>Save import report</source>
            <translation>保存导入报告</translation>
        </message>
        <message>
            <source>Save report…</source>
            <translation>保存报告…</translation>
        </message>
        <message>
            <source>Save session</source>
            <translation>保存会话</translation>
        </message>
        <message>
            <source>Save session as…</source>
            <translation>会话另存为…</translation>
        </message>
        <message>
            <source>Saved {path}.</source>
            <translation>已保存 {path}。</translation>
        </message>
        <message>
            <source>Scheduled tokens</source>
            <translation>调度 token 数</translation>
        </message>
        <message>
            <source>Scheduler</source>
            <translation>调度</translation>
        </message>
        <message>
            <source>Scope Type</source>
            <translation>内存类型</translation>
        </message>
        <message>
            <source>Scroll the lanes</source>
            <translation>滚动泳道</translation>
        </message>
        <message>
            <source>Scroll the lanes; Ctrl: zoom; Shift: pan</source>
            <translation>滚动泳道；Ctrl：缩放；Shift：平移</translation>
        </message>
        <message>
            <source>Search</source>
            <translation>搜索</translation>
        </message>
        <message>
            <source>Search categories of links</source>
            <translation>搜索连线类别</translation>
        </message>
        <message>
            <source>Search events by address or call stack</source>
            <translation>按地址或调用栈搜索事件</translation>
        </message>
        <message>
            <source>Search names</source>
            <translation>搜索名称</translation>
        </message>
        <message>
            <source>Search requests</source>
            <translation>搜索请求</translation>
        </message>
        <message>
            <source>Search text</source>
            <translation>搜索文本</translation>
        </message>
        <message>
            <source>Search the code</source>
            <translation>搜索代码</translation>
        </message>
        <message>
            <source>Second free of a block</source>
            <translation>重复释放</translation>
        </message>
        <message>
            <source>See Less</source>
            <translation>收起</translation>
        </message>
        <message>
            <source>See More</source>
            <translation>更多</translation>
        </message>
        <message>
            <source>Seg#{0}</source>
            <translation>段#{0}</translation>
        </message>
        <message>
            <source>Segment</source>
            <translation>内存段</translation>
        </message>
        <message>
            <source>Segment of the trace that is not there at the dump</source>
            <translation>事件中的内存段在转储中不存在</translation>
        </message>
        <message>
            <source>Segment size</source>
            <translation>内存段大小</translation>
        </message>
        <message>
            <source>Segment {0}</source>
            <translation>内存段 {0}</translation>
        </message>
        <message>
            <source>Segments</source>
            <translation>内存段</translation>
        </message>
        <message>
            <source>Select a range, a slice or lanes of the Timeline.</source>
            <translation>请在时间线上选择范围、切片或泳道。</translation>
        </message>
        <message>
            <source>Select a range, a slice or lanes: where their time goes is drawn here.</source>
            <translation>请选择范围、切片或泳道：此处会画出其时间去向。</translation>
        </message>
        <message>
            <source>Select a range; its edges catch slices, Alt lets go</source>
            <translation>选择范围；边缘吸附切片，按住 Alt 不吸附</translation>
        </message>
        <message>
            <source>Select a slice; on empty space: clear</source>
            <translation>选中切片；点击空白处：清除</translation>
        </message>
        <message>
            <source>Select all of this name</source>
            <translation>选择所有同名切片</translation>
        </message>
        <message>
            <source>Select only the depth rows below the rectangle</source>
            <translation>只选择矩形覆盖的深度行</translation>
        </message>
        <message>
            <source>Select stream lanes only.</source>
            <translation>请只选择 Stream 泳道。</translation>
        </message>
        <message>
            <source>Select streams of one card.</source>
            <translation>请选择同一张卡的 Stream。</translation>
        </message>
        <message>
            <source>Select the range of the selected slice; with a base slice: align the ends</source>
            <translation>选择选中切片的范围；有基准切片时：对齐终点</translation>
        </message>
        <message>
            <source>Select ts_ns and dur_ns.</source>
            <translation>请查询 ts_ns 与 dur_ns。</translation>
        </message>
        <message>
            <source>Selected range only</source>
            <translation>仅选中范围</translation>
        </message>
        <message>
            <source>Selection</source>
            <translation>选区</translation>
        </message>
        <message>
            <source>Self</source>
            <translation>自身</translation>
        </message>
        <message>
            <source>Self Time: without the slices one row deeper that lie inside</source>
            <translation>自身时间：不含位于其内部的下一层切片</translation>
        </message>
        <message>
            <source>Self {value}</source>
            <translation>自身 {value}</translation>
        </message>
        <message>
            <source>Sending</source>
            <translation>发送</translation>
        </message>
        <message>
            <source>Sequences of kernels with a fused operator.</source>
            <translation>有对应融合算子的 kernel 序列。</translation>
        </message>
        <message>
            <source>Series</source>
            <translation>序列</translation>
        </message>
        <message>
            <source>Service</source>
            <translation>服务</translation>
        </message>
        <message>
            <source>Service Tables</source>
            <translation>服务化表格</translation>
        </message>
        <message>
            <source>Service tables</source>
            <translation>服务化表格</translation>
        </message>
        <message>
            <source>Serving</source>
            <translation>服务化</translation>
        </message>
        <message>
            <source>Session saved: {path}</source>
            <translation>会话已保存：{path}</translation>
        </message>
        <message>
            <source>Sessions</source>
            <translation>会话</translation>
        </message>
        <message>
            <source>Set alias…</source>
            <translation>设置别名…</translation>
        </message>
        <message>
            <source>Set as Lower Bound</source>
            <translation>设为最小筛选值</translation>
        </message>
        <message>
            <source>Set as Upper Bound</source>
            <translation>设为最大筛选值</translation>
        </message>
        <message>
            <source>Set as baseline data</source>
            <translation>设置为基线数据</translation>
        </message>
        <message>
            <source>Set as comparison data</source>
            <translation>设置为对比数据</translation>
        </message>
        <message>
            <source>Set base slice</source>
            <translation>设为基准切片</translation>
        </message>
        <message>
            <source>Set thresholds under Inefficient blocks… first</source>
            <translation>请先在“低效内存块…”中设置阈值</translation>
        </message>
        <message>
            <source>Set {0}, so that operators are not compiled while they run.</source>
            <translation>设置 {0}，避免算子在运行时编译。</translation>
        </message>
        <message>
            <source>Setting</source>
            <translation>设置项</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>Settings…</source>
            <translation>设置…</translation>
        </message>
        <message>
            <source>Several at once is fine. Kinds are recognised by content, not by name.</source>
            <translation>可以一次拖入多个。按内容识别类型，与文件名无关。</translation>
        </message>
        <message>
            <source>Several slices in a pixel</source>
            <translation>一个像素内有多个切片</translation>
        </message>
        <message>
            <source>Severity</source>
            <translation>级别</translation>
        </message>
        <message>
            <source>Shape</source>
            <translation>形状</translation>
        </message>
        <message>
            <source>Shapes</source>
            <translation>形状</translation>
        </message>
        <message>
            <source>Share</source>
            <translation>占比</translation>
        </message>
        <message>
            <source>Share (%)</source>
            <translation>占比 (%)</translation>
        </message>
        <message>
            <source>Share of packets above 32 MB (HCCS, PCIE, SIO) or 0.5 MB (RDMA)</source>
            <translation>大于 32 MB（HCCS、PCIE、SIO）或 0.5 MB（RDMA）的通信包占比</translation>
        </message>
        <message>
            <source>Share of parent</source>
            <translation>占上级比例</translation>
        </message>
        <message>
            <source>Share of the E2E Time</source>
            <translation>占端到端时间的比例</translation>
        </message>
        <message>
            <source>Share of the median</source>
            <translation>与中位数之比</translation>
        </message>
        <message>
            <source>Share of the time of all operators of this group</source>
            <translation>占该分组全部算子耗时的比例</translation>
        </message>
        <message>
            <source>Share of the whole layer</source>
            <translation>占整层的比例</translation>
        </message>
        <message>
            <source>Shares</source>
            <translation>占比</translation>
        </message>
        <message>
            <source>Shortest Elapsed Time</source>
            <translation>最短总时间</translation>
        </message>
        <message>
            <source>Show</source>
            <translation>查看</translation>
        </message>
        <message>
            <source>Show As</source>
            <translation>显示为</translation>
        </message>
        <message>
            <source>Show Inner Communication</source>
            <translation>显示卡内通信</translation>
        </message>
        <message>
            <source>Show Instructions In Source</source>
            <translation>在源码中显示指令</translation>
        </message>
        <message>
            <source>Show SET/WAIT events</source>
            <translation>显示 SET/WAIT 事件</translation>
        </message>
        <message>
            <source>Show all counters</source>
            <translation>显示全部计数器</translation>
        </message>
        <message>
            <source>Show all hidden lanes</source>
            <translation>显示所有隐藏的泳道</translation>
        </message>
        <message>
            <source>Show as</source>
            <translation>显示方式</translation>
        </message>
        <message>
            <source>Show both maps</source>
            <translation>显示两张图</translation>
        </message>
        <message>
            <source>Show everything</source>
            <translation>显示全部</translation>
        </message>
        <message>
            <source>Show in Communication</source>
            <translation>在通信中显示</translation>
        </message>
        <message>
            <source>Show in Events View</source>
            <translation>在事件视图中显示</translation>
        </message>
        <message>
            <source>Show in Overview</source>
            <translation>在概览中显示</translation>
        </message>
        <message>
            <source>Show in Source</source>
            <translation>在源码中显示</translation>
        </message>
        <message>
            <source>Show in Timeline</source>
            <translation>在时间线中显示</translation>
        </message>
        <message>
            <source>Show in the layout</source>
            <translation>在布局中显示</translation>
        </message>
        <message>
            <source>Show only this step</source>
            <translation>仅显示此迭代</translation>
        </message>
        <message>
            <source>Show or hide the bottom panel</source>
            <translation>显示或隐藏底部面板</translation>
        </message>
        <message>
            <source>Show the Timeline</source>
            <translation>显示时间线</translation>
        </message>
        <message>
            <source>Show the figures of: {0}</source>
            <translation>查看依据：{0}</translation>
        </message>
        <message>
            <source>Show the import report</source>
            <translation>显示导入报告</translation>
        </message>
        <message>
            <source>Show the operator on all ranks</source>
            <translation>查看该算子在所有卡上的情况</translation>
        </message>
        <message>
            <source>Show the source</source>
            <translation>查看源码</translation>
        </message>
        <message>
            <source>Show the whole data again</source>
            <translation>恢复显示全部数据</translation>
        </message>
        <message>
            <source>Show the whole life</source>
            <translation>显示完整生命周期</translation>
        </message>
        <message>
            <source>Show this time in the chart</source>
            <translation>在图中显示该时刻</translation>
        </message>
        <message>
            <source>Show {0} from the events</source>
            <translation>显示由事件得到的 {0}</translation>
        </message>
        <message>
            <source>Shows these requests, with both values</source>
            <translation>显示这些请求及两种取值</translation>
        </message>
        <message>
            <source>Shows which rows, and lets rows without a partner count</source>
            <translation>查看是哪些行，并可让未配对的行参与统计</translation>
        </message>
        <message>
            <source>Simulators write sources, instructions and a trace. Cores, roofline and memory come from a run on the device.</source>
            <translation>仿真器只写出源码、指令和时间线；核间负载、Roofline 与内存数据来自真机运行。</translation>
        </message>
        <message>
            <source>Size</source>
            <translation>大小</translation>
        </message>
        <message>
            <source>Size at the peak</source>
            <translation>峰值时大小</translation>
        </message>
        <message>
            <source>Size in Baseline</source>
            <translation>基线的大小</translation>
        </message>
        <message>
            <source>Size in Comparison</source>
            <translation>比较的大小</translation>
        </message>
        <message>
            <source>Size in the baseline</source>
            <translation>基线大小</translation>
        </message>
        <message>
            <source>Size of the first</source>
            <translation>首个任务的大小</translation>
        </message>
        <message>
            <source>Size sum {0} KB</source>
            <translation>大小合计 {0} KB</translation>
        </message>
        <message>
            <source>Size × life</source>
            <translation>大小 × 生命周期</translation>
        </message>
        <message>
            <source>Size(KB)</source>
            <translation>大小(KB)</translation>
        </message>
        <message>
            <source>Size(MB)</source>
            <translation>大小(MB)</translation>
        </message>
        <message>
            <source>Sleeping</source>
            <translation>睡眠</translation>
        </message>
        <message>
            <source>Slice Detail</source>
            <translation>切片详情</translation>
        </message>
        <message>
            <source>Slice List</source>
            <translation>切片列表</translation>
        </message>
        <message>
            <source>Slice Selection Mode</source>
            <translation>切片选择模式</translation>
        </message>
        <message>
            <source>Slices</source>
            <translation>切片</translation>
        </message>
        <message>
            <source>Slices keep their whole length</source>
            <translation>切片保留完整时长</translation>
        </message>
        <message>
            <source>Slices of the layer by name: share, number, average, shortest and longest.</source>
            <translation>按名称统计该层的切片：占比、次数、平均、最短和最长。</translation>
        </message>
        <message>
            <source>Slices of the name</source>
            <translation>该名称的切片</translation>
        </message>
        <message>
            <source>Slices of the name on both cards</source>
            <translation>两张卡上该名称的切片</translation>
        </message>
        <message>
            <source>Slices that are partly inside count with their full length</source>
            <translation>部分位于范围内的切片按全长计算</translation>
        </message>
        <message>
            <source>Slow Rank List</source>
            <translation>可能的慢卡列表</translation>
        </message>
        <message>
            <source>Slow ranks and groups</source>
            <translation>慢卡与慢通信域</translation>
        </message>
        <message>
            <source>Slow ranks are told of all operators together; choose Total Op Info.</source>
            <translation>慢卡按全部算子判断；请选择 Total Op Info。</translation>
        </message>
        <message>
            <source>Slow ranks are told of one job; end the comparison to see them.</source>
            <translation>慢卡只针对单个集群；结束对比后可查看。</translation>
        </message>
        <message>
            <source>Slow: below {0} of the speed of its peers, with at least {1} MB moved.</source>
            <translation>慢：传输至少 {1} MB，且速度低于同类链路的 {0}。</translation>
        </message>
        <message>
            <source>Small Operators</source>
            <translation>小包算子数</translation>
        </message>
        <message>
            <source>Small Size Duration</source>
            <translation>小包持续时长</translation>
        </message>
        <message>
            <source>Small Size Proportion</source>
            <translation>小包占比</translation>
        </message>
        <message>
            <source>Small Size Proportion Standard</source>
            <translation>小包占比正常值</translation>
        </message>
        <message>
            <source>Small Size Standard</source>
            <translation>小包标准</translation>
        </message>
        <message>
            <source>Smallest</source>
            <translation>最小块</translation>
        </message>
        <message>
            <source>Smallest size</source>
            <translation>最小大小</translation>
        </message>
        <message>
            <source>Snapshot</source>
            <translation>内存快照</translation>
        </message>
        <message>
            <source>Snapshot of the visible range…</source>
            <translation>可见区间的快照…</translation>
        </message>
        <message>
            <source>Soft IRQ Count</source>
            <translation>软中断次数</translation>
        </message>
        <message>
            <source>Soft IRQ Duration</source>
            <translation>软中断时间</translation>
        </message>
        <message>
            <source>Some paths have problems</source>
            <translation>部分路径有问题</translation>
        </message>
        <message>
            <source>Something went wrong inside the program: {kind}: {error}</source>
            <translation>程序内部出错：{kind}：{error}</translation>
        </message>
        <message>
            <source>Sort requests by</source>
            <translation>请求排序依据</translation>
        </message>
        <message>
            <source>Source</source>
            <translation>来源</translation>
        </message>
        <message>
            <source>Source code</source>
            <translation>源代码</translation>
        </message>
        <message>
            <source>Source||code</source>
            <translation>源码</translation>
        </message>
        <message>
            <source>Span</source>
            <translation>跨度</translation>
        </message>
        <message>
            <source>Span − busy: the card has no task</source>
            <translation>跨度 − 忙碌：该卡没有任务</translation>
        </message>
        <message>
            <source>Spans</source>
            <translation>跨度</translation>
        </message>
        <message>
            <source>Speculative decoding</source>
            <translation>投机解码</translation>
        </message>
        <message>
            <source>Speed against peers</source>
            <translation>相对同类的速度</translation>
        </message>
        <message>
            <source>Spread of durations</source>
            <translation>耗时分布</translation>
        </message>
        <message>
            <source>Src Rank Id</source>
            <translation>源卡序号</translation>
        </message>
        <message>
            <source>Stage</source>
            <translation>非空泡时间</translation>
        </message>
        <message>
            <source>Stage Type</source>
            <translation>阶段类型</translation>
        </message>
        <message>
            <source>Stages of requests</source>
            <translation>请求阶段</translation>
        </message>
        <message>
            <source>Stall</source>
            <translation>停顿</translation>
        </message>
        <message>
            <source>Stall Count</source>
            <translation>停顿次数</translation>
        </message>
        <message>
            <source>Stall Reason</source>
            <translation>停顿原因</translation>
        </message>
        <message>
            <source>Stall time</source>
            <translation>停顿时间</translation>
        </message>
        <message>
            <source>Stalled</source>
            <translation>停顿</translation>
        </message>
        <message>
            <source>Standard deviation</source>
            <translation>标准差</translation>
        </message>
        <message>
            <source>Start</source>
            <translation>开始</translation>
        </message>
        <message>
            <source>Start Time</source>
            <translation>开始时间</translation>
        </message>
        <message>
            <source>Start Time (ms)</source>
            <translation>开始时间 (ms)</translation>
        </message>
        <message>
            <source>Start again</source>
            <translation>重新开始</translation>
        </message>
        <message>
            <source>Start global analysis</source>
            <translation>开始全局分析</translation>
        </message>
        <message>
            <source>Start of the linked slice minus start of this one</source>
            <translation>关联切片的开始减去本切片的开始</translation>
        </message>
        <message>
            <source>Start page</source>
            <translation>起始页</translation>
        </message>
        <message>
            <source>State</source>
            <translation>状态</translation>
        </message>
        <message>
            <source>State at the dump differs from the trace</source>
            <translation>转储中的状态与事件不同</translation>
        </message>
        <message>
            <source>State at the end of the trace.</source>
            <translation>录制结束时的状态。</translation>
        </message>
        <message>
            <source>Static graph {0}</source>
            <translation>静态图 {0}</translation>
        </message>
        <message>
            <source>Stats System View</source>
            <translation>统计系统视图</translation>
        </message>
        <message>
            <source>Status</source>
            <translation>状态</translation>
        </message>
        <message>
            <source>Step</source>
            <translation>步</translation>
        </message>
        <message>
            <source>Step (ms)</source>
            <translation>步耗时 (ms)</translation>
        </message>
        <message>
            <source>Step count</source>
            <translation>迭代数量</translation>
        </message>
        <message>
            <source>Step latency</source>
            <translation>单步时延</translation>
        </message>
        <message>
            <source>Step time</source>
            <translation>迭代时间</translation>
        </message>
        <message>
            <source>Step {0}</source>
            <translation>迭代 {0}</translation>
        </message>
        <message>
            <source>Step {0} has no operators of {1}.</source>
            <translation>迭代 {0} 中没有 {1} 的算子。</translation>
        </message>
        <message>
            <source>Step {0} · {1}</source>
            <translation>迭代 {0} · {1}</translation>
        </message>
        <message>
            <source>Steps</source>
            <translation>步</translation>
        </message>
        <message>
            <source>Steps of the optimizers SGD, Adadelta, Lamb, Adam, AdamW, AdamP, BertAdam, RMSprop and RMSpropTF, for which there is a fused one.</source>
            <translation>SGD、Adadelta、Lamb、Adam、AdamW、AdamP、BertAdam、RMSprop 和 RMSpropTF 优化器的步骤，它们都有融合版本。</translation>
        </message>
        <message>
            <source>Steps that delay others most</source>
            <translation>对其他请求影响最大的步</translation>
        </message>
        <message>
            <source>Step||training</source>
            <translation>迭代ID</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <source>Stop the import</source>
            <translation>停止导入</translation>
        </message>
        <message>
            <source>Stragglers</source>
            <translation>拖慢者</translation>
        </message>
        <message>
            <source>Stream</source>
            <translation>流</translation>
        </message>
        <message>
            <source>Stream Name</source>
            <translation>流名称</translation>
        </message>
        <message>
            <source>Stream: reserved, allocated and active memory of operators per stream</source>
            <translation>流：每个流的算子预留、分配和激活内存</translation>
        </message>
        <message>
            <source>Streams are recorded when the file has the columns of active memory.</source>
            <translation>文件含有激活内存列时才有流的记录。</translation>
        </message>
        <message>
            <source>Sum</source>
            <translation>总和</translation>
        </message>
        <message>
            <source>Sum (A)</source>
            <translation>总和 (A)</translation>
        </message>
        <message>
            <source>Sum (B)</source>
            <translation>总和 (B)</translation>
        </message>
        <message>
            <source>Sum of Max {0}</source>
            <translation>最大{0}的总和</translation>
        </message>
        <message>
            <source>Sum {value}</source>
            <translation>总和 {value}</translation>
        </message>
        <message>
            <source>Summaries: TTFT 2,000 ms, TPOT 100 ms</source>
            <translation>摘要：TTFT 2,000 ms，TPOT 100 ms</translation>
        </message>
        <message>
            <source>Summary</source>
            <translation>概览</translation>
        </message>
        <message>
            <source>Swap A and B</source>
            <translation>交换 A 和 B</translation>
        </message>
        <message>
            <source>Switch on Show Inner Communication to see what each rank moves by itself.</source>
            <translation>打开“显示卡内通信”可查看各卡内部的传输。</translation>
        </message>
        <message>
            <source>Synchronisation</source>
            <translation>同步</translation>
        </message>
        <message>
            <source>Synchronization / (synchronization + transit)</source>
            <translation>同步时间 / (同步时间 + 传输时间)</translation>
        </message>
        <message>
            <source>Synchronization Time</source>
            <translation>同步时间</translation>
        </message>
        <message>
            <source>Synchronization Time Ratio</source>
            <translation>同步时间占比</translation>
        </message>
        <message>
            <source>System</source>
            <translation>系统</translation>
        </message>
        <message>
            <source>System View</source>
            <translation>系统视图</translation>
        </message>
        <message>
            <source>TID</source>
            <translation>TID</translation>
        </message>
        <message>
            <source>TP-Communication time difference</source>
            <translation>TP-通信时间差值</translation>
        </message>
        <message>
            <source>TPOT</source>
            <translation>TPOT</translation>
        </message>
        <message>
            <source>TPOT P90</source>
            <translation>TPOT P90</translation>
        </message>
        <message>
            <source>TTFT</source>
            <translation>TTFT</translation>
        </message>
        <message>
            <source>TTFT P90</source>
            <translation>TTFT P90</translation>
        </message>
        <message>
            <source>TTFT recorded</source>
            <translation>TTFT 记录值</translation>
        </message>
        <message>
            <source>Table</source>
            <translation>表格</translation>
        </message>
        <message>
            <source>Table Data Details</source>
            <translation>表格数据详情</translation>
        </message>
        <message>
            <source>Tables</source>
            <translation>表</translation>
        </message>
        <message>
            <source>Tables and columns; one is written at the cursor</source>
            <translation>数据表和列；选择后写入光标处</translation>
        </message>
        <message>
            <source>Table…</source>
            <translation>表格…</translation>
        </message>
        <message>
            <source>Tabs of the bottom panel</source>
            <translation>底部面板的标签</translation>
        </message>
        <message>
            <source>Tag</source>
            <translation>标签</translation>
        </message>
        <message>
            <source>Tag blocks that are allocated early, freed late or idle for long</source>
            <translation>标记提前申请、延迟释放或过长闲置的内存块</translation>
        </message>
        <message>
            <source>Tags</source>
            <translation>标签</translation>
        </message>
        <message>
            <source>Tail</source>
            <translation>收尾</translation>
        </message>
        <message>
            <source>Take missing source files from a folder of yours</source>
            <translation>从您的文件夹中取缺失的源码文件</translation>
        </message>
        <message>
            <source>Take the shown event as the base and compare other events with it</source>
            <translation>将当前事件作为基线，与其他事件对比</translation>
        </message>
        <message>
            <source>Target Index</source>
            <translation>目标编号</translation>
        </message>
        <message>
            <source>Task ID</source>
            <translation>任务 ID</translation>
        </message>
        <message>
            <source>Task Trace Timeline</source>
            <translation>任务轨迹时间线</translation>
        </message>
        <message>
            <source>Tasks</source>
            <translation>任务数</translation>
        </message>
        <message>
            <source>Tensor Parallelism</source>
            <translation>张量并行</translation>
        </message>
        <message>
            <source>Text</source>
            <translation>文本</translation>
        </message>
        <message>
            <source>Text size</source>
            <translation>文字大小</translation>
        </message>
        <message>
            <source>The AI Core frequency drops by {0} % (between {1} and {2} MHz): look at power and temperature of the device.</source>
            <translation>AI Core 频率下降 {0} %（{1} 至 {2} MHz）：请检查设备的功耗和温度。</translation>
        </message>
        <message>
            <source>The AI Core frequency is steady: it drops by {0} % (between {1} and {2} MHz).</source>
            <translation>AI Core 频率稳定：下降 {0} %（{1} 至 {2} MHz）。</translation>
        </message>
        <message>
            <source>The Details page shows how one kernel used its cores, pipes and memory.</source>
            <translation>详情页展示一个算子如何使用它的核、流水和内存。</translation>
        </message>
        <message>
            <source>The Timeline has no slice of {0}.</source>
            <translation>时间线中没有 {0}。</translation>
        </message>
        <message>
            <source>The Timeline of this rank is not open.</source>
            <translation>该卡的时间线未打开。</translation>
        </message>
        <message>
            <source>The analysis of the job was stopped</source>
            <translation>集群分析已停止</translation>
        </message>
        <message>
            <source>The analysis of the ranks was stopped</source>
            <translation>对各卡的分析已停止</translation>
        </message>
        <message>
            <source>The baseline cannot be read: {0}</source>
            <translation>无法读取基线：{0}</translation>
        </message>
        <message>
            <source>The baseline is {0} data, the comparison {1} data.</source>
            <translation>基线为 {0} 数据，对比为 {1} 数据。</translation>
        </message>
        <message>
            <source>The cache is not recorded</source>
            <translation>未记录缓存</translation>
        </message>
        <message>
            <source>The capacity is estimated: the highest number of free blocks seen.</source>
            <translation>容量为估计值：出现过的最大空闲块数。</translation>
        </message>
        <message>
            <source>The card may have been removed or read anew.</source>
            <translation>该卡可能已被移除或重新读取。</translation>
        </message>
        <message>
            <source>The card moves {0} to the left.</source>
            <translation>该卡左移 {0}。</translation>
        </message>
        <message>
            <source>The card moves {0} to the right.</source>
            <translation>该卡右移 {0}。</translation>
        </message>
        <message>
            <source>The card of these rows is not open.</source>
            <translation>这些行所属的卡未打开。</translation>
        </message>
        <message>
            <source>The card stands at its recorded time.</source>
            <translation>该卡位于采集时间。</translation>
        </message>
        <message>
            <source>The cards are being read; this page fills itself when one is ready.</source>
            <translation>正在解析各卡；有卡就绪后本页会自动显示。</translation>
        </message>
        <message>
            <source>The collector wrote none of this kind for the kernel.</source>
            <translation>采集工具没有为该算子写出这一类数据。</translation>
        </message>
        <message>
            <source>The counter AI Core Freq is written by devices and drivers that support it, with the activity NPU.</source>
            <translation>AI Core Freq 计数器由支持它的设备和驱动写出，activities 需包含 NPU。</translation>
        </message>
        <message>
            <source>The data have no links.</source>
            <translation>数据中没有连线。</translation>
        </message>
        <message>
            <source>The device is never idle here.</source>
            <translation>设备在此处没有空闲。</translation>
        </message>
        <message>
            <source>The dump is read again, and the project keeps the choice.</source>
            <translation>转储会重新读取，项目会保留该选择。</translation>
        </message>
        <message>
            <source>The first event of the card stands at 0</source>
            <translation>该卡的首个事件位于 0</translation>
        </message>
        <message>
            <source>The free memory is there, but in pieces that are too small.</source>
            <translation>空闲内存足够，但都是过小的碎片。</translation>
        </message>
        <message>
            <source>The grid has no cells</source>
            <translation>网格中没有单元格</translation>
        </message>
        <message>
            <source>The import can continue.</source>
            <translation>可以继续导入。</translation>
        </message>
        <message>
            <source>The kernel files of this card have no rows.</source>
            <translation>该卡的算子文件没有数据行。</translation>
        </message>
        <message>
            <source>The kernel has no instructions over time: collect it with the simulator of msprof op.</source>
            <translation>该算子没有指令时间线：请用 msprof op 仿真器采集。</translation>
        </message>
        <message>
            <source>The kernel was compiled without debug information, or collected without its sources.</source>
            <translation>该算子编译时没有调试信息，或采集时没有源码。</translation>
        </message>
        <message>
            <source>The kernels of this operator have no start time.</source>
            <translation>该算子没有开始时间。</translation>
        </message>
        <message>
            <source>The lane has no slices.</source>
            <translation>该泳道没有切片。</translation>
        </message>
        <message>
            <source>The lower bound is above the upper bound.</source>
            <translation>下限大于上限。</translation>
        </message>
        <message>
            <source>The maximum size cannot be smaller than the minimum size.</source>
            <translation>最大值不能小于最小值。</translation>
        </message>
        <message>
            <source>The name was not changed.</source>
            <translation>名称未更改。</translation>
        </message>
        <message>
            <source>The others wait for {0}: {1}.</source>
            <translation>其他卡在等待 {0}：{1}。</translation>
        </message>
        <message>
            <source>The overview of more than {0} ranks needs the sizes of the parallel dimensions.</source>
            <translation>超过 {0} 张卡的概览需要各并行维度的大小。</translation>
        </message>
        <message>
            <source>The parallel strategy is not known.</source>
            <translation>并行策略未知。</translation>
        </message>
        <message>
            <source>The plan of this memory has no block.</source>
            <translation>该内存的规划中没有内存块。</translation>
        </message>
        <message>
            <source>The profile has figures for {0}, but not their text.</source>
            <translation>数据中有 {0} 的指标，但没有其源码。</translation>
        </message>
        <message>
            <source>The profile names {0}, but its text is not in it.</source>
            <translation>数据提到了 {0}，但其中没有它的源码。</translation>
        </message>
        <message>
            <source>The range holds no lane with slices.</source>
            <translation>范围内没有含切片的泳道。</translation>
        </message>
        <message>
            <source>The rank with the longest time arrived first and waited for the others. Listed are up to {0} ranks that are at least {1} shorter, each with the {2} operators where the difference is largest.</source>
            <translation>耗时最长的卡最先到达并等待其他卡。这里最多列出 {0} 张耗时短 {1} 以上的卡，每张卡列出差值最大的 {2} 个算子。</translation>
        </message>
        <message>
            <source>The ranks are being analysed: {0}</source>
            <translation>正在分析各卡：{0}</translation>
        </message>
        <message>
            <source>The ranks of this group are balanced: none is at least {0} shorter than the fastest.</source>
            <translation>该通信域各卡均衡：没有卡比最快卡短 {0} 以上。</translation>
        </message>
        <message>
            <source>The ranks of this group have no links to other ranks</source>
            <translation>该通信域的卡没有到其他卡的链路</translation>
        </message>
        <message>
            <source>The ranks of {0} are balanced.</source>
            <translation>{0} 的各卡均衡。</translation>
        </message>
        <message>
            <source>The recording holds no settings.</source>
            <translation>录制中没有设置信息。</translation>
        </message>
        <message>
            <source>The report could not be written: {why}.</source>
            <translation>无法写入报告：{why}。</translation>
        </message>
        <message>
            <source>The report was not written into the data folder.</source>
            <translation>报告没有写入数据文件夹。</translation>
        </message>
        <message>
            <source>The row has no slices of its own.</source>
            <translation>该行没有自己的切片。</translation>
        </message>
        <message>
            <source>The row leads to no slice that is open.</source>
            <translation>该行没有对应的已打开切片。</translation>
        </message>
        <message>
            <source>The run does not record them.</source>
            <translation>该运行未记录。</translation>
        </message>
        <message>
            <source>The run has neither a table kvcache nor a counter of free blocks.</source>
            <translation>该运行既没有 kvcache 表，也没有空闲块计数。</translation>
        </message>
        <message>
            <source>The run has no PullKVCache events.</source>
            <translation>该运行没有 PullKVCache 事件。</translation>
        </message>
        <message>
            <source>The run has no batchFrameworkProcessing, BatchSchedule or modelExec events.</source>
            <translation>该运行没有 batchFrameworkProcessing、BatchSchedule 或 modelExec 事件。</translation>
        </message>
        <message>
            <source>The run has no table moe_analysis.</source>
            <translation>该运行没有 moe_analysis 表。</translation>
        </message>
        <message>
            <source>The same collective on {card}: {name}</source>
            <translation>{card} 上的同一集合通信：{name}</translation>
        </message>
        <message>
            <source>The same two ranks from profiler databases</source>
            <translation>同样的两个 rank，来自 profiler 数据库</translation>
        </message>
        <message>
            <source>The saved view may not fit.</source>
            <translation>保存的视图可能不匹配。</translation>
        </message>
        <message>
            <source>The selected lanes have no slice between its edges.</source>
            <translation>所选泳道在范围内没有切片。</translation>
        </message>
        <message>
            <source>The selection holds no slices.</source>
            <translation>选中区域内没有切片。</translation>
        </message>
        <message>
            <source>The sizes must be whole numbers.</source>
            <translation>大小必须是整数。</translation>
        </message>
        <message>
            <source>The sizes of the parallel dimensions are not in the data</source>
            <translation>数据中没有各并行维度的大小</translation>
        </message>
        <message>
            <source>The sizes of the parallel dimensions were collected with the data. Others may not match its groups.</source>
            <translation>各并行维度的大小随数据一起采集。其他大小可能与数据中的通信域不匹配。</translation>
        </message>
        <message>
            <source>The source cannot be shown</source>
            <translation>无法显示源码</translation>
        </message>
        <message>
            <source>The source has no args for it.</source>
            <translation>源数据没有它的参数。</translation>
        </message>
        <message>
            <source>The timeline of rank {0} is not read</source>
            <translation>卡 {0} 的时间线尚未读取</translation>
        </message>
        <message>
            <source>The timelines of the ranks are not open: read the cards, then they are looked at.</source>
            <translation>各卡的时间线未打开：读取各卡后才会分析。</translation>
        </message>
        <message>
            <source>The trace of this card may be missing, shorter than its kernel file, or collected apart from it.</source>
            <translation>该卡的 trace 可能缺失、比算子文件短，或与其分开采集。</translation>
        </message>
        <message>
            <source>The trace tells neither address nor line: they were found by name.</source>
            <translation>trace 中既没有地址也没有行号：按名称查找。</translation>
        </message>
        <message>
            <source>The view begins anew; the data are untouched.</source>
            <translation>视图重新开始，数据未受影响。</translation>
        </message>
        <message>
            <source>The visible range needs two numbers.</source>
            <translation>筛选范围需要两个数值。</translation>
        </message>
        <message>
            <source>The whole rest was kept; the report says what is missing.</source>
            <translation>其余完整部分均已保留；缺少的内容见导入报告。</translation>
        </message>
        <message>
            <source>The window stays usable. The log has the details (Help, Open log folder).</source>
            <translation>窗口仍可使用。详情见日志（帮助 → 打开日志文件夹）。</translation>
        </message>
        <message>
            <source>Their folders hold tables only: there is no trace_view.json, no msprof*.json and no profiler database with events. Memory and Operator show the tables. For a timeline collect with export to text or db; if there is raw data, run the collector's analyse() or msprof --export=on first.</source>
            <translation>它们的目录里只有表格：没有 trace_view.json、msprof*.json，也没有含事件的 profiler 数据库。内存页和算子页会显示这些表格。如需时间线，请在采集时导出 text 或 db；若有原始数据，请先运行采集工具的 analyse() 或 msprof --export=on。</translation>
        </message>
        <message>
            <source>Theme</source>
            <translation>主题</translation>
        </message>
        <message>
            <source>Then {0} ({1} ms).</source>
            <translation>其次为{0}（{1} ms）。</translation>
        </message>
        <message>
            <source>There are many cards, so each is read when you ask for it: with ▷ in its row of the data panel, or all.</source>
            <translation>卡数较多，因此按需读取：点击数据面板中该卡所在行的 ▷，或读取全部。</translation>
        </message>
        <message>
            <source>There are no instructions.</source>
            <translation>没有指令。</translation>
        </message>
        <message>
            <source>There are no scheduling lanes</source>
            <translation>没有调度泳道</translation>
        </message>
        <message>
            <source>There are no tokens of both kinds: {0} with prefill beside them, {1} without, {2} unknown.</source>
            <translation>没有同时出现两类 token：伴随 Prefill {0} 个，不伴随 {1} 个，未知 {2} 个。</translation>
        </message>
        <message>
            <source>There is already a project named {name}.</source>
            <translation>已有名为 {name} 的项目。</translation>
        </message>
        <message>
            <source>There is no element {0} in this view.</source>
            <translation>当前视图中没有编号 {0}。</translation>
        </message>
        <message>
            <source>There is no further link.</source>
            <translation>没有更多连线。</translation>
        </message>
        <message>
            <source>There is no further slice of this name.</source>
            <translation>没有更多同名切片。</translation>
        </message>
        <message>
            <source>There is no further step.</source>
            <translation>没有更多的步。</translation>
        </message>
        <message>
            <source>There is no obviously slow card.</source>
            <translation>没有明显的慢卡。</translation>
        </message>
        <message>
            <source>These cards have no timeline</source>
            <translation>这些卡没有时间线</translation>
        </message>
        <message>
            <source>These paths are not there any more. Choose their new place; everything you arranged stays.</source>
            <translation>这些路径已不存在。请选择新的位置，您的所有设置都会保留。</translation>
        </message>
        <message>
            <source>They are recorded with profiler_level Level1 or Level2 when more than one card takes part.</source>
            <translation>多卡参与且 profiler_level 为 Level1 或 Level2 时才会记录。</translation>
        </message>
        <message>
            <source>They stay where they are.</source>
            <translation>它们保持原位。</translation>
        </message>
        <message>
            <source>This block has no further event in that direction.</source>
            <translation>该内存块在此方向没有更多事件。</translation>
        </message>
        <message>
            <source>This card could not be read.</source>
            <translation>无法读取此卡。</translation>
        </message>
        <message>
            <source>This card has communication operators only: choose a communication group.</source>
            <translation>该卡只有通信算子：请选择通信算子分组。</translation>
        </message>
        <message>
            <source>This card has no AI Core frequency</source>
            <translation>该卡没有 AI Core 频率数据</translation>
        </message>
        <message>
            <source>This card has no communication operators</source>
            <translation>该卡没有通信算子</translation>
        </message>
        <message>
            <source>This card has no communication operators.</source>
            <translation>该卡没有通信算子。</translation>
        </message>
        <message>
            <source>This card has no computing operators.</source>
            <translation>该卡没有计算算子。</translation>
        </message>
        <message>
            <source>This card has no details of copies</source>
            <translation>该卡没有拷贝详情</translation>
        </message>
        <message>
            <source>This card has no list of kernels</source>
            <translation>该卡没有 kernel 列表</translation>
        </message>
        <message>
            <source>This card has no overlap analysis</source>
            <translation>该卡没有重叠分析</translation>
        </message>
        <message>
            <source>This card has no slices of this layer</source>
            <translation>该卡没有这一层的切片</translation>
        </message>
        <message>
            <source>This card has no tasks of the device</source>
            <translation>该卡没有设备任务</translation>
        </message>
        <message>
            <source>This collector does not write how many tokens a step computes.</source>
            <translation>该采集器不写出每步计算的 token 数。</translation>
        </message>
        <message>
            <source>This curve has no rows.</source>
            <translation>该曲线没有数据行。</translation>
        </message>
        <message>
            <source>This curve has no times.</source>
            <translation>该曲线没有时间。</translation>
        </message>
        <message>
            <source>This dump has no allocation events</source>
            <translation>该转储没有内存申请事件</translation>
        </message>
        <message>
            <source>This group only</source>
            <translation>仅当前通信域</translation>
        </message>
        <message>
            <source>This operator runs on AICPU: use an equivalent operator without it.</source>
            <translation>该算子运行在 AICPU 上：请使用不依赖 AICPU 的等价算子。</translation>
        </message>
        <message>
            <source>This page draws what a service recorded over time: batch sizes, queues, cache use, latencies and speeds.</source>
            <translation>本页绘制服务随时间记录的数据：batch 大小、队列、缓存使用、时延与速度。</translation>
        </message>
        <message>
            <source>This page shows how a service answered its requests: latencies, batches, the KV cache, and why requests were slow.</source>
            <translation>本页展示服务如何响应请求：时延、批次、KV 缓存，以及请求变慢的原因。</translation>
        </message>
        <message>
            <source>This rank has no bandwidths of this operator.</source>
            <translation>该卡没有此算子的带宽数据。</translation>
        </message>
        <message>
            <source>This rank has no operators in this step and group.</source>
            <translation>该卡在此迭代和通信域中没有算子。</translation>
        </message>
        <message>
            <source>This run</source>
            <translation>本次运行</translation>
        </message>
        <message>
            <source>This run has no curves.</source>
            <translation>该次运行没有曲线。</translation>
        </message>
        <message>
            <source>This run has no events between nodes.</source>
            <translation>该运行没有节点间事件。</translation>
        </message>
        <message>
            <source>This run has no recorded tables.</source>
            <translation>该次运行没有记录的表格。</translation>
        </message>
        <message>
            <source>This run has no requests.</source>
            <translation>该次运行没有请求。</translation>
        </message>
        <message>
            <source>Thread</source>
            <translation>线程</translation>
        </message>
        <message>
            <source>Thread ID</source>
            <translation>线程 ID</translation>
        </message>
        <message>
            <source>Thread Id</source>
            <translation>线程 ID</translation>
        </message>
        <message>
            <source>Throughput</source>
            <translation>吞吐量</translation>
        </message>
        <message>
            <source>Throughput over time</source>
            <translation>吞吐随时间的变化</translation>
        </message>
        <message>
            <source>Throughput(GB/s)</source>
            <translation>吞吐(GB/s)</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>时间</translation>
        </message>
        <message>
            <source>Time (ms)</source>
            <translation>时间 (ms)</translation>
        </message>
        <message>
            <source>Time (s)</source>
            <translation>时间 (s)</translation>
        </message>
        <message>
            <source>Time (µs)</source>
            <translation>时间 (µs)</translation>
        </message>
        <message>
            <source>Time Alignment</source>
            <translation>时间对齐</translation>
        </message>
        <message>
            <source>Time Filter: {a} to {b}</source>
            <translation>时间过滤：{a} 至 {b}</translation>
        </message>
        <message>
            <source>Time Range Analysis</source>
            <translation>时间范围分析</translation>
        </message>
        <message>
            <source>Time Range Analysis and Zoom in</source>
            <translation>时间范围分析并放大</translation>
        </message>
        <message>
            <source>Time Ratio</source>
            <translation>时间占比</translation>
        </message>
        <message>
            <source>Time axis</source>
            <translation>时间轴</translation>
        </message>
        <message>
            <source>Time between tokens</source>
            <translation>token 间隔</translation>
        </message>
        <message>
            <source>Time between tokens over time</source>
            <translation>token 间隔随时间的变化</translation>
        </message>
        <message>
            <source>Time difference {0}</source>
            <translation>时间差 {0}</translation>
        </message>
        <message>
            <source>Time from the last access to the free</source>
            <translation>从最后访问到释放的时间</translation>
        </message>
        <message>
            <source>Time from the malloc to the first access</source>
            <translation>从申请到首次访问的时间</translation>
        </message>
        <message>
            <source>Time in GroupedMatmul</source>
            <translation>GroupedMatmul 时间</translation>
        </message>
        <message>
            <source>Time in which at least one slice runs</source>
            <translation>至少有一个切片运行的时间</translation>
        </message>
        <message>
            <source>Time of GroupedMatmul per layer</source>
            <translation>各层 GroupedMatmul 耗时</translation>
        </message>
        <message>
            <source>Time per element</source>
            <translation>每元素耗时</translation>
        </message>
        <message>
            <source>Time per element against the shape where it is smallest</source>
            <translation>每元素耗时与最省 Shape 之比</translation>
        </message>
        <message>
            <source>Time since the start of the run</source>
            <translation>自运行开始的时间</translation>
        </message>
        <message>
            <source>Time that links of the same transport in groups of the same name need for the same bytes / own time</source>
            <translation>同名通信域中同类链路传输相同字节所需时间 / 自身时间</translation>
        </message>
        <message>
            <source>Time to first token</source>
            <translation>首 token 时延</translation>
        </message>
        <message>
            <source>Time(us)</source>
            <translation>时间(us)</translation>
        </message>
        <message>
            <source>Timeline</source>
            <translation>时间线</translation>
        </message>
        <message>
            <source>Timeline chart</source>
            <translation>时间线图</translation>
        </message>
        <message>
            <source>Timeline of rank {0}</source>
            <translation>卡 {0} 的时间线</translation>
        </message>
        <message>
            <source>Times</source>
            <translation>次数</translation>
        </message>
        <message>
            <source>Times repeat: shown by row</source>
            <translation>时间重复：按行号显示</translation>
        </message>
        <message>
            <source>Timestamp</source>
            <translation>时间戳</translation>
        </message>
        <message>
            <source>Timestamp offset (ns)</source>
            <translation>时间戳偏移 (ns)</translation>
        </message>
        <message>
            <source>Timestamp offset of {0}</source>
            <translation>{0} 的时间戳偏移</translation>
        </message>
        <message>
            <source>Timestamp offset…</source>
            <translation>时间戳偏移…</translation>
        </message>
        <message>
            <source>Timestamp(ms)</source>
            <translation>时间戳(ms)</translation>
        </message>
        <message>
            <source>To</source>
            <translation>终点</translation>
        </message>
        <message>
            <source>To get it in the next run</source>
            <translation>下次采集时获取的方法</translation>
        </message>
        <message>
            <source>Today {time}</source>
            <translation>今天 {time}</translation>
        </message>
        <message>
            <source>Tokens</source>
            <translation>token 数</translation>
        </message>
        <message>
            <source>Tokens (%)</source>
            <translation>token (%)</translation>
        </message>
        <message>
            <source>Tokens are not recorded</source>
            <translation>未记录 token 数</translation>
        </message>
        <message>
            <source>Tokens from batches with prefill take {0} times as long ({1} against {2} in the median). {3} of all tokens; {4} in all.</source>
            <translation>来自含 Prefill 批次的 token 耗时为 {0} 倍（中位数 {1} 对 {2}）。占全部 token 的 {3}，合计 {4}。</translation>
        </message>
        <message>
            <source>Tokens of the answer</source>
            <translation>回答的 token 数</translation>
        </message>
        <message>
            <source>Tokens of the prompt</source>
            <translation>提示词的 token 数</translation>
        </message>
        <message>
            <source>Tokens per step</source>
            <translation>每步 token 数</translation>
        </message>
        <message>
            <source>Tokens/s</source>
            <translation>token/秒</translation>
        </message>
        <message>
            <source>Top</source>
            <translation>前 N 项</translation>
        </message>
        <message>
            <source>Top 3 Slow Groups</source>
            <translation>应关注Top3分组</translation>
        </message>
        <message>
            <source>Top 3 Slow Ranks</source>
            <translation>应关注Top3慢卡</translation>
        </message>
        <message>
            <source>Top Warp Stall Reason</source>
            <translation>Warp 停顿原因</translation>
        </message>
        <message>
            <source>Top is 0: nothing is listed.</source>
            <translation>“前”为 0：不列出任何行。</translation>
        </message>
        <message>
            <source>Total</source>
            <translation>合计</translation>
        </message>
        <message>
            <source>Total Size</source>
            <translation>总大小</translation>
        </message>
        <message>
            <source>Total Size in Baseline</source>
            <translation>基线的总大小</translation>
        </message>
        <message>
            <source>Total Size in Comparison</source>
            <translation>比较的总大小</translation>
        </message>
        <message>
            <source>Total Time</source>
            <translation>总耗时</translation>
        </message>
        <message>
            <source>Total Time (µs) Group by {0}</source>
            <translation>总耗时 (µs)，按{0}分组</translation>
        </message>
        <message>
            <source>Total time of the transports: {0}.</source>
            <translation>各链路方式总时间：{0}。</translation>
        </message>
        <message>
            <source>Total would be negative</source>
            <translation>总量会变为负值</translation>
        </message>
        <message>
            <source>Total {0}</source>
            <translation>合计 {0}</translation>
        </message>
        <message>
            <source>Total {n} items</source>
            <translation>共 {n} 项</translation>
        </message>
        <message>
            <source>Totals</source>
            <translation>总量</translation>
        </message>
        <message>
            <source>Totals of {n} of {m} rows</source>
            <translation>合计：{m} 行中的 {n} 行</translation>
        </message>
        <message>
            <source>Totals of {n} rows</source>
            <translation>合计：{n} 行</translation>
        </message>
        <message>
            <source>Totals: {n} names</source>
            <translation>合计：{n} 个名称</translation>
        </message>
        <message>
            <source>Trace and dump agree: nothing was repaired.</source>
            <translation>事件记录与转储一致，未做任何修复。</translation>
        </message>
        <message>
            <source>Training step</source>
            <translation>迭代</translation>
        </message>
        <message>
            <source>Training, database</source>
            <translation>训练，数据库</translation>
        </message>
        <message>
            <source>Training, text output</source>
            <translation>训练，文本输出</translation>
        </message>
        <message>
            <source>Transfer</source>
            <translation>搬运</translation>
        </message>
        <message>
            <source>Transfers of the cache</source>
            <translation>缓存传输</translation>
        </message>
        <message>
            <source>Transit Size</source>
            <translation>传输大小</translation>
        </message>
        <message>
            <source>Transit Time</source>
            <translation>传输时间</translation>
        </message>
        <message>
            <source>Transport Type</source>
            <translation>链路方式</translation>
        </message>
        <message>
            <source>Truncated: without arrival {0}, without tokens {1}</source>
            <translation>被截断：无到达 {0}，无 token {1}</translation>
        </message>
        <message>
            <source>Try again</source>
            <translation>重试</translation>
        </message>
        <message>
            <source>Two cards are compared; end the comparison to change the card.</source>
            <translation>正在比较两张卡；结束比较后才能切换卡。</translation>
        </message>
        <message>
            <source>Two kernels</source>
            <translation>两个算子</translation>
        </message>
        <message>
            <source>Two ranks. Timeline from trace_view.json</source>
            <translation>两个 rank，时间线来自 trace_view.json</translation>
        </message>
        <message>
            <source>Type</source>
            <translation>类型</translation>
        </message>
        <message>
            <source>Type a command</source>
            <translation>输入命令</translation>
        </message>
        <message>
            <source>Type a name into the search and press Enter.</source>
            <translation>在搜索框中输入名称并按 Enter。</translation>
        </message>
        <message>
            <source>Type or paste a path, then press Enter</source>
            <translation>输入或粘贴路径，然后按 Enter</translation>
        </message>
        <message>
            <source>Undo the last zoom or pan</source>
            <translation>撤销上一次缩放或平移</translation>
        </message>
        <message>
            <source>Undo zoom</source>
            <translation>撤销缩放</translation>
        </message>
        <message>
            <source>Unfinished requests</source>
            <translation>未完成请求</translation>
        </message>
        <message>
            <source>Union of the tasks</source>
            <translation>任务的并集</translation>
        </message>
        <message>
            <source>Unit</source>
            <translation>单位</translation>
        </message>
        <message>
            <source>Unknown</source>
            <translation>未知</translation>
        </message>
        <message>
            <source>Unknown chip {0}: generic diagram</source>
            <translation>未知芯片 {0}：使用通用图</translation>
        </message>
        <message>
            <source>Unlock selection area</source>
            <translation>解锁选区</translation>
        </message>
        <message>
            <source>Unmerge Units</source>
            <translation>取消合并泳道</translation>
        </message>
        <message>
            <source>Unpin</source>
            <translation>取消置顶</translation>
        </message>
        <message>
            <source>Unpin Same-named Lane ({0})</source>
            <translation>取消置顶同名泳道 ({0})</translation>
        </message>
        <message>
            <source>Unpin all</source>
            <translation>全部取消置顶</translation>
        </message>
        <message>
            <source>Unreleased</source>
            <translation>区间未释放总量</translation>
        </message>
        <message>
            <source>Unset as baseline data</source>
            <translation>取消设置为基线数据</translation>
        </message>
        <message>
            <source>Unset as comparison data</source>
            <translation>取消设置为对比数据</translation>
        </message>
        <message>
            <source>Unset baseline and comparison first.</source>
            <translation>请先取消基线和对比。</translation>
        </message>
        <message>
            <source>Until sent</source>
            <translation>发送前</translation>
        </message>
        <message>
            <source>Upper bound</source>
            <translation>上限</translation>
        </message>
        <message>
            <source>Usage against the waiting queue</source>
            <translation>使用率与等待队列</translation>
        </message>
        <message>
            <source>Usage of the KV cache</source>
            <translation>KV 缓存使用率</translation>
        </message>
        <message>
            <source>Use</source>
            <translation>使用</translation>
        </message>
        <message>
            <source>Use a whole number from 1 to 500.</source>
            <translation>请使用 1 到 500 的整数。</translation>
        </message>
        <message>
            <source>Use fused optimizers and fused operators.</source>
            <translation>使用融合优化器和融合算子。</translation>
        </message>
        <message>
            <source>Use other sizes than those of the data?</source>
            <translation>使用与数据不同的大小？</translation>
        </message>
        <message>
            <source>Use the same kind on both where the card offers it, to compare like with like.</source>
            <translation>如果卡提供同一种数据，请在两侧使用同一种，以便对等比较。</translation>
        </message>
        <message>
            <source>Use these sizes</source>
            <translation>使用这些大小</translation>
        </message>
        <message>
            <source>Use whole numbers from 1 to 10,000.</source>
            <translation>请使用 1 到 10,000 的整数。</translation>
        </message>
        <message>
            <source>Use {kind} data</source>
            <translation>使用 {kind} 数据</translation>
        </message>
        <message>
            <source>Use {kind} output</source>
            <translation>使用 {kind} 输出</translation>
        </message>
        <message>
            <source>Used (%)</source>
            <translation>使用率 (%)</translation>
        </message>
        <message>
            <source>Used before</source>
            <translation>用过的</translation>
        </message>
        <message>
            <source>Used by the process</source>
            <translation>进程使用</translation>
        </message>
        <message>
            <source>Used on the device</source>
            <translation>设备使用</translation>
        </message>
        <message>
            <source>User metadata</source>
            <translation>用户元数据</translation>
        </message>
        <message>
            <source>Value</source>
            <translation>值</translation>
        </message>
        <message>
            <source>Value at the end minus value at the start</source>
            <translation>终点值减去起点值</translation>
        </message>
        <message>
            <source>Value × seconds</source>
            <translation>值 × 秒</translation>
        </message>
        <message>
            <source>Values</source>
            <translation>数值个数</translation>
        </message>
        <message>
            <source>Vector</source>
            <translation>Vector</translation>
        </message>
        <message>
            <source>Vector Ratio = Vector Cycle / Total Cycle</source>
            <translation>Vector 占比 = Vector 周期 / 总周期</translation>
        </message>
        <message>
            <source>Vector active</source>
            <translation>Vector 活跃</translation>
        </message>
        <message>
            <source>Verdict</source>
            <translation>结论</translation>
        </message>
        <message>
            <source>Version {version} · Python {python} · {system}</source>
            <translation>版本 {version} · Python {python} · {system}</translation>
        </message>
        <message>
            <source>View</source>
            <translation>视图</translation>
        </message>
        <message>
            <source>View Communication Duration Analysis</source>
            <translation>查看通信耗时分析</translation>
        </message>
        <message>
            <source>Visible Range</source>
            <translation>筛选范围</translation>
        </message>
        <message>
            <source>Visible time</source>
            <translation>可见时间</translation>
        </message>
        <message>
            <source>Visible {0} – {1} of {2}</source>
            <translation>可见 {0} – {1}，共 {2}</translation>
        </message>
        <message>
            <source>Visits</source>
            <translation>访问次数</translation>
        </message>
        <message>
            <source>Visualized Communication Time</source>
            <translation>通信时长</translation>
        </message>
        <message>
            <source>WORKSPACE: a block of the device's global memory for workspaces</source>
            <translation>WORKSPACE：设备全局内存中的一块工作区内存</translation>
        </message>
        <message>
            <source>Wait / (wait + transit)</source>
            <translation>等待时间 / (等待时间 + 传输时间)</translation>
        </message>
        <message>
            <source>Wait Cycles</source>
            <translation>等待周期</translation>
        </message>
        <message>
            <source>Wait Time</source>
            <translation>等待时间</translation>
        </message>
        <message>
            <source>Wait Time Ratio</source>
            <translation>等待时间占比</translation>
        </message>
        <message>
            <source>Waited</source>
            <translation>等待</translation>
        </message>
        <message>
            <source>Waited for others</source>
            <translation>等待其他卡</translation>
        </message>
        <message>
            <source>Waiting for another rank</source>
            <translation>等待其他 rank</translation>
        </message>
        <message>
            <source>Waiting for streams</source>
            <translation>等待流</translation>
        </message>
        <message>
            <source>Waiting requests</source>
            <translation>等待请求数</translation>
        </message>
        <message>
            <source>Waiting time</source>
            <translation>等待时间</translation>
        </message>
        <message>
            <source>Waiting to be read</source>
            <translation>等待读取</translation>
        </message>
        <message>
            <source>Wall Duration: nested and overlapping slices are added up</source>
            <translation>持续时间：嵌套和重叠的切片相加</translation>
        </message>
        <message>
            <source>Waterfall</source>
            <translation>瀑布图</translation>
        </message>
        <message>
            <source>Weighted by the time each value holds</source>
            <translation>按各值持续时间加权</translation>
        </message>
        <message>
            <source>What</source>
            <translation>内容</translation>
        </message>
        <message>
            <source>What bounds this kernel</source>
            <translation>该算子的瓶颈</translation>
        </message>
        <message>
            <source>What frees most</source>
            <translation>释放收益</translation>
        </message>
        <message>
            <source>What is filtered</source>
            <translation>筛选对象</translation>
        </message>
        <message>
            <source>What opens</source>
            <translation>可打开的内容</translation>
        </message>
        <message>
            <source>What stands out</source>
            <translation>值得关注</translation>
        </message>
        <message>
            <source>What the collector found by the order of calls</source>
            <translation>采集器按调用顺序得出</translation>
        </message>
        <message>
            <source>What this page reads</source>
            <translation>本页读取的文件</translation>
        </message>
        <message>
            <source>What to do</source>
            <translation>处理方法</translation>
        </message>
        <message>
            <source>What was met</source>
            <translation>遇到的问题</translation>
        </message>
        <message>
            <source>What was read so far is not kept.</source>
            <translation>已读取的内容不会保留。</translation>
        </message>
        <message>
            <source>Wheel</source>
            <translation>滚轮</translation>
        </message>
        <message>
            <source>When it went back to the pool; N/A when it did not within the collection</source>
            <translation>归还内存池的时刻；采集期间未归还时为 N/A</translation>
        </message>
        <message>
            <source>When no stream used it any more and the pool could give it away again</source>
            <translation>不再被任何流使用、可重新分配的时刻</translation>
        </message>
        <message>
            <source>When the memory was allocated</source>
            <translation>内存申请的时刻</translation>
        </message>
        <message>
            <source>Where</source>
            <translation>位置</translation>
        </message>
        <message>
            <source>Where are the data of {name} now?</source>
            <translation>{name} 的数据现在在哪里？</translation>
        </message>
        <message>
            <source>Where the time of the card goes: computing by kind of kernel, communication by group into waiting and transmitting, free time.</source>
            <translation>该卡的时间去向：按 kernel 种类划分的计算、按通信组划分的等待与传输、空闲时间。</translation>
        </message>
        <message>
            <source>Whether the AI cores lost frequency. Click leads to the counter.</source>
            <translation>AI Core 是否降频。点击跳转到计数器。</translation>
        </message>
        <message>
            <source>Which blocks</source>
            <translation>哪些内存块</translation>
        </message>
        <message>
            <source>Which data should be opened?</source>
            <translation>打开哪些数据？</translation>
        </message>
        <message>
            <source>Which stacks</source>
            <translation>哪种调用栈</translation>
        </message>
        <message>
            <source>Who waited</source>
            <translation>谁在等待</translation>
        </message>
        <message>
            <source>Who waited for rank {0}</source>
            <translation>谁在等待卡 {0}</translation>
        </message>
        <message>
            <source>Whole data</source>
            <translation>全部数据</translation>
        </message>
        <message>
            <source>Whole data, forget the history</source>
            <translation>显示全部数据并清除历史</translation>
        </message>
        <message>
            <source>Whole job</source>
            <translation>整个任务</translation>
        </message>
        <message>
            <source>Whole range</source>
            <translation>完整范围</translation>
        </message>
        <message>
            <source>Whole run again</source>
            <translation>恢复整个运行</translation>
        </message>
        <message>
            <source>Whole slices</source>
            <translation>完整切片</translation>
        </message>
        <message>
            <source>Whole word</source>
            <translation>全词匹配</translation>
        </message>
        <message>
            <source>Why</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>Why Free</source>
            <translation>空闲原因</translation>
        </message>
        <message>
            <source>Why are {span} free at {start} on {card}?</source>
            <translation>{card} 在 {start} 处的 {span} 为何空闲？</translation>
        </message>
        <message>
            <source>Why is this time free?</source>
            <translation>这段时间为何空闲？</translation>
        </message>
        <message>
            <source>Why it took {0}</source>
            <translation>耗时 {0} 的原因</translation>
        </message>
        <message>
            <source>Window</source>
            <translation>窗口</translation>
        </message>
        <message>
            <source>Window {0} – {1} s</source>
            <translation>窗口 {0} – {1} s</translation>
        </message>
        <message>
            <source>With private pools</source>
            <translation>含私有内存池</translation>
        </message>
        <message>
            <source>With prompts: {0} tok/s; best second: {1} tokens</source>
            <translation>含提示词：{0} tok/s；最佳一秒：{1} 个 token</translation>
        </message>
        <message>
            <source>Without data: {0}</source>
            <translation>无数据：{0}</translation>
        </message>
        <message>
            <source>Workspace</source>
            <translation>Workspace</translation>
        </message>
        <message>
            <source>Worst: {0}, {1} µs against a median of {2} µs of {3} calls.</source>
            <translation>最严重：{0}，耗时 {1} µs，{3} 次调用的中位数为 {2} µs。</translation>
        </message>
        <message>
            <source>Write a whole number of ns, at most 30 days to either side.</source>
            <translation>请输入 ns 整数，前后最多 30 天。</translation>
        </message>
        <message>
            <source>Write two event numbers from 0 to {0}, the smaller one first.</source>
            <translation>请输入 0 到 {0} 之间的两个事件序号，小者在前。</translation>
        </message>
        <message>
            <source>Writing…</source>
            <translation>正在写入…</translation>
        </message>
        <message>
            <source>Written: {0}</source>
            <translation>已写入：{0}</translation>
        </message>
        <message>
            <source>X axis</source>
            <translation>X 轴</translation>
        </message>
        <message>
            <source>Yes</source>
            <translation>是</translation>
        </message>
        <message>
            <source>Yesterday</source>
            <translation>昨天</translation>
        </message>
        <message>
            <source>Zoom and pan</source>
            <translation>缩放和平移</translation>
        </message>
        <message>
            <source>Zoom around the mouse</source>
            <translation>以鼠标为中心缩放</translation>
        </message>
        <message>
            <source>Zoom back</source>
            <translation>返回上一缩放</translation>
        </message>
        <message>
            <source>Zoom in</source>
            <translation>放大</translation>
        </message>
        <message>
            <source>Zoom in / out around the mouse</source>
            <translation>以鼠标为中心放大 / 缩小</translation>
        </message>
        <message>
            <source>Zoom in around the mouse</source>
            <translation>以鼠标为中心放大</translation>
        </message>
        <message>
            <source>Zoom into a box</source>
            <translation>框选放大</translation>
        </message>
        <message>
            <source>Zoom into selection</source>
            <translation>缩放到所选</translation>
        </message>
        <message>
            <source>Zoom into the selected range</source>
            <translation>缩放到所选范围</translation>
        </message>
        <message>
            <source>Zoom out</source>
            <translation>缩小</translation>
        </message>
        <message>
            <source>Zoom out around the mouse</source>
            <translation>以鼠标为中心缩小</translation>
        </message>
        <message>
            <source>Zoom to a stretch that you drag</source>
            <translation>拖动以缩放到一段时间</translation>
        </message>
        <message>
            <source>a block lies on those allocated before it; a click marks a time</source>
            <translation>内存块叠放在先申请的内存块之上；点击可标记时刻</translation>
        </message>
        <message>
            <source>a finished analysis of all ranks</source>
            <translation>所有卡的已完成分析</translation>
        </message>
        <message>
            <source>a finished analysis of the job</source>
            <translation>已完成的集群分析</translation>
        </message>
        <message>
            <source>a saved session</source>
            <translation>已保存的会话</translation>
        </message>
        <message>
            <source>above median + 3 · 1.4826 · MAD and 1.5 × median of their like; costliest first</source>
            <translation>高于同类的 中位数 + 3 · 1.4826 · MAD 且高于 1.5 × 中位数；多耗时间最多者在前</translation>
        </message>
        <message>
            <source>accepted</source>
            <translation>接受</translation>
        </message>
        <message>
            <source>active</source>
            <translation>活跃</translation>
        </message>
        <message>
            <source>address, stack</source>
            <translation>地址、调用栈</translation>
        </message>
        <message>
            <source>after</source>
            <translation>之后</translation>
        </message>
        <message>
            <source>after event</source>
            <translation>事件之后</translation>
        </message>
        <message>
            <source>after event {0}</source>
            <translation>事件 {0} 之后</translation>
        </message>
        <message>
            <source>against the median of each step</source>
            <translation>与各迭代中位数相比</translation>
        </message>
        <message>
            <source>alive in {0} ms</source>
            <translation>存活于 {0} ms</translation>
        </message>
        <message>
            <source>all</source>
            <translation>全部</translation>
        </message>
        <message>
            <source>all steps</source>
            <translation>所有迭代</translation>
        </message>
        <message>
            <source>allocated</source>
            <translation>已分配</translation>
        </message>
        <message>
            <source>allocated or released in {0} ms</source>
            <translation>分配或释放于 {0} ms</translation>
        </message>
        <message>
            <source>allocation and release of every tensor</source>
            <translation>每个张量的申请与释放</translation>
        </message>
        <message>
            <source>allocation event not captured</source>
            <translation>未捕获申请事件</translation>
        </message>
        <message>
            <source>and {0} more</source>
            <translation>以及另外 {0} 个</translation>
        </message>
        <message>
            <source>annotation</source>
            <translation>标注</translation>
        </message>
        <message>
            <source>arrow colour: peak (%)</source>
            <translation>箭头颜色：峰值占比 (%)</translation>
        </message>
        <message>
            <source>at {0} ms</source>
            <translation>位于 {0} ms</translation>
        </message>
        <message>
            <source>average {0} µs</source>
            <translation>平均 {0} µs</translation>
        </message>
        <message>
            <source>baseline</source>
            <translation>基线</translation>
        </message>
        <message>
            <source>baseline {0}</source>
            <translation>基线 {0}</translation>
        </message>
        <message>
            <source>before</source>
            <translation>之前</translation>
        </message>
        <message>
            <source>before the first event</source>
            <translation>首个事件之前</translation>
        </message>
        <message>
            <source>before tracing</source>
            <translation>采集前</translation>
        </message>
        <message>
            <source>behind it on the pipe</source>
            <translation>同一流水线上的后一条</translation>
        </message>
        <message>
            <source>best goodput</source>
            <translation>最佳有效吞吐</translation>
        </message>
        <message>
            <source>better ▲</source>
            <translation>更好 ▲</translation>
        </message>
        <message>
            <source>between the events of both nodes</source>
            <translation>两个节点事件之间</translation>
        </message>
        <message>
            <source>blocks</source>
            <translation>内存块数</translation>
        </message>
        <message>
            <source>both</source>
            <translation>两者</translation>
        </message>
        <message>
            <source>both of them, from a database export</source>
            <translation>来自数据库导出，两者都有</translation>
        </message>
        <message>
            <source>built in</source>
            <translation>内置</translation>
        </message>
        <message>
            <source>busy {value}</source>
            <translation>忙碌 {value}</translation>
        </message>
        <message>
            <source>by Packet Size(MB)</source>
            <translation>按包大小(MB)</translation>
        </message>
        <message>
            <source>by call stack</source>
            <translation>按调用栈</translation>
        </message>
        <message>
            <source>by owner</source>
            <translation>按归属</translation>
        </message>
        <message>
            <source>by the next MALLOC of its address</source>
            <translation>由同一地址的下一个 MALLOC 结束</translation>
        </message>
        <message>
            <source>by type</source>
            <translation>按类型</translation>
        </message>
        <message>
            <source>capacity estimated</source>
            <translation>容量为估计值</translation>
        </message>
        <message>
            <source>changed on disk, parse again</source>
            <translation>磁盘上已更改，请重新解析</translation>
        </message>
        <message>
            <source>cluster tables computed here from the ranks</source>
            <translation>集群表由各卡数据在此计算</translation>
        </message>
        <message>
            <source>communication operators of a rank: groups, times, sizes</source>
            <translation>一张卡的通信算子：通信域、时间、大小</translation>
        </message>
        <message>
            <source>communication time</source>
            <translation>通信耗时</translation>
        </message>
        <message>
            <source>communication_matrix.json of the ranks has no links of this group, or the ranks do not have the file.</source>
            <translation>各卡的 communication_matrix.json 中没有该通信域的链路，或者没有这个文件。</translation>
        </message>
        <message>
            <source>comparison</source>
            <translation>对比</translation>
        </message>
        <message>
            <source>comparison minus baseline, largest first</source>
            <translation>对比减基线，最大者在前</translation>
        </message>
        <message>
            <source>comparison − baseline</source>
            <translation>对比 − 基线</translation>
        </message>
        <message>
            <source>compute</source>
            <translation>计算</translation>
        </message>
        <message>
            <source>computing</source>
            <translation>计算</translation>
        </message>
        <message>
            <source>computing time</source>
            <translation>计算耗时</translation>
        </message>
        <message>
            <source>contains</source>
            <translation>包含</translation>
        </message>
        <message>
            <source>contains…</source>
            <translation>包含…</translation>
        </message>
        <message>
            <source>cross-host</source>
            <translation>跨主机</translation>
        </message>
        <message>
            <source>decode</source>
            <translation>decode</translation>
        </message>
        <message>
            <source>device tasks</source>
            <translation>个设备任务</translation>
        </message>
        <message>
            <source>device {0}</source>
            <translation>设备 {0}</translation>
        </message>
        <message>
            <source>difference {0} µs</source>
            <translation>差异 {0} µs</translation>
        </message>
        <message>
            <source>does not exist</source>
            <translation>不存在</translation>
        </message>
        <message>
            <source>done</source>
            <translation>完成</translation>
        </message>
        <message>
            <source>double click: show in Timeline</source>
            <translation>双击：在时间线中显示</translation>
        </message>
        <message>
            <source>double-click a row to go there</source>
            <translation>双击一行可跳转</translation>
        </message>
        <message>
            <source>drawn to the end of the data</source>
            <translation>画到数据末尾</translation>
        </message>
        <message>
            <source>dummy</source>
            <translation>dummy</translation>
        </message>
        <message>
            <source>early-alloc</source>
            <translation>提前申请</translation>
        </message>
        <message>
            <source>early-alloc: long before the first access; late-free: long after the last one; idle: long between two</source>
            <translation>提前申请：距首次访问很久；延迟释放：距最后访问很久；过长闲置：两次访问间隔很久</translation>
        </message>
        <message>
            <source>equal</source>
            <translation>相等</translation>
        </message>
        <message>
            <source>error</source>
            <translation>错误</translation>
        </message>
        <message>
            <source>estimated</source>
            <translation>估算值</translation>
        </message>
        <message>
            <source>event {0}</source>
            <translation>事件 {0}</translation>
        </message>
        <message>
            <source>events 0 – {0}</source>
            <translation>事件 0 – {0}</translation>
        </message>
        <message>
            <source>events {0} – {1}</source>
            <translation>事件 {0} – {1}</translation>
        </message>
        <message>
            <source>events {0} – {1} of {2}</source>
            <translation>事件 {0} – {1}，共 {2}</translation>
        </message>
        <message>
            <source>events: curves derived from them</source>
            <translation>事件：由其推导曲线</translation>
        </message>
        <message>
            <source>execution</source>
            <translation>执行</translation>
        </message>
        <message>
            <source>expandable</source>
            <translation>可扩展</translation>
        </message>
        <message>
            <source>extend</source>
            <translation>extend</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <source>fallback</source>
            <translation>回退</translation>
        </message>
        <message>
            <source>fewer</source>
            <translation>较少</translation>
        </message>
        <message>
            <source>first</source>
            <translation>首条</translation>
        </message>
        <message>
            <source>first access</source>
            <translation>首次访问</translation>
        </message>
        <message>
            <source>first {0} of {1}</source>
            <translation>前 {0} 项，共 {1} 项</translation>
        </message>
        <message>
            <source>fit</source>
            <translation>拟合</translation>
        </message>
        <message>
            <source>following {0}: {1} events, [ and ] go through them</source>
            <translation>正在跟踪 {0}：{1} 个事件，按 [ 与 ] 逐个查看</translation>
        </message>
        <message>
            <source>found</source>
            <translation>已找到</translation>
        </message>
        <message>
            <source>found, incomplete</source>
            <translation>已找到，不完整</translation>
        </message>
        <message>
            <source>found, no kernels</source>
            <translation>已找到，没有算子</translation>
        </message>
        <message>
            <source>found, no usable rows</source>
            <translation>已找到，但没有可用的行</translation>
        </message>
        <message>
            <source>fragmentation</source>
            <translation>碎片化</translation>
        </message>
        <message>
            <source>free</source>
            <translation>空闲</translation>
        </message>
        <message>
            <source>free segments</source>
            <translation>空闲内存段</translation>
        </message>
        <message>
            <source>freed</source>
            <translation>已释放</translation>
        </message>
        <message>
            <source>frequency counters</source>
            <translation>个频率计数器</translation>
        </message>
        <message>
            <source>from roofline, pipes, core balance, conflicts and stalls</source>
            <translation>依据 Roofline、流水、核间均衡、冲突与停顿</translation>
        </message>
        <message>
            <source>from the data</source>
            <translation>来自数据</translation>
        </message>
        <message>
            <source>from the end of a pass to the next of the card</source>
            <translation>从一次前向结束到该卡下一次开始</translation>
        </message>
        <message>
            <source>frontend</source>
            <translation>前端</translation>
        </message>
        <message>
            <source>gap</source>
            <translation>间隙</translation>
        </message>
        <message>
            <source>gap before {0}</source>
            <translation>前一个间隔 {0}</translation>
        </message>
        <message>
            <source>gap to {0}: {1}</source>
            <translation>与 {0} 的间隔：{1}</translation>
        </message>
        <message>
            <source>gaps</source>
            <translation>空隙</translation>
        </message>
        <message>
            <source>gaps {0}</source>
            <translation>间隙 {0}</translation>
        </message>
        <message>
            <source>given back</source>
            <translation>归还</translation>
        </message>
        <message>
            <source>hide frames of the interpreter</source>
            <translation>隐藏解释器栈帧</translation>
        </message>
        <message>
            <source>high</source>
            <translation>高</translation>
        </message>
        <message>
            <source>highlight link</source>
            <translation>在图中高亮</translation>
        </message>
        <message>
            <source>holds the control character {value}</source>
            <translation>含有控制字符 {value}</translation>
        </message>
        <message>
            <source>host calls</source>
            <translation>个主机调用</translation>
        </message>
        <message>
            <source>idle</source>
            <translation>过长闲置</translation>
        </message>
        <message>
            <source>in SLO</source>
            <translation>达标</translation>
        </message>
        <message>
            <source>in order of arrival</source>
            <translation>按到达顺序</translation>
        </message>
        <message>
            <source>incomplete</source>
            <translation>不完整</translation>
        </message>
        <message>
            <source>is neither a file nor a folder</source>
            <translation>既不是文件也不是文件夹</translation>
        </message>
        <message>
            <source>is {size} large; reading may take long</source>
            <translation>大小为 {size}，读取可能较慢</translation>
        </message>
        <message>
            <source>is {value} characters long; 4096 are possible</source>
            <translation>长度为 {value} 个字符，最多 4096</translation>
        </message>
        <message>
            <source>kernel_details.csv or the table COMPUTE_TASK_INFO is needed; the profiler writes them with profiler_level Level1 or Level2.</source>
            <translation>需要 kernel_details.csv 或 COMPUTE_TASK_INFO 表；profiler_level 为 Level1 或 Level2 时由性能采集工具写出。</translation>
        </message>
        <message>
            <source>kernels</source>
            <translation>个 kernel</translation>
        </message>
        <message>
            <source>kernels, memory, steps, serving, MemScope</source>
            <translation>算子、内存、迭代、服务化、MemScope</translation>
        </message>
        <message>
            <source>kinds of computing need hardware counters (aic_metrics=PipeUtilization)</source>
            <translation>计算的细分需要硬件计数器 (aic_metrics=PipeUtilization)</translation>
        </message>
        <message>
            <source>lane {0}</source>
            <translation>泳道 {0}</translation>
        </message>
        <message>
            <source>large</source>
            <translation>大</translation>
        </message>
        <message>
            <source>largest gap</source>
            <translation>最大空隙</translation>
        </message>
        <message>
            <source>largest seen</source>
            <translation>出现过的最大值</translation>
        </message>
        <message>
            <source>largest total first</source>
            <translation>总耗时最大者在前</translation>
        </message>
        <message>
            <source>largest {0} first</source>
            <translation>{0} 从大到小</translation>
        </message>
        <message>
            <source>last access</source>
            <translation>末次访问</translation>
        </message>
        <message>
            <source>late-free</source>
            <translation>延迟释放</translation>
        </message>
        <message>
            <source>latency</source>
            <translation>时延</translation>
        </message>
        <message>
            <source>left out of blocks and curves</source>
            <translation>未计入内存块和曲线</translation>
        </message>
        <message>
            <source>links between ranks</source>
            <translation>卡间链路</translation>
        </message>
        <message>
            <source>long life</source>
            <translation>长生命周期</translation>
        </message>
        <message>
            <source>longer</source>
            <translation>更长</translation>
        </message>
        <message>
            <source>longer than {share} of the others</source>
            <translation>长于其余的 {share}</translation>
        </message>
        <message>
            <source>longest gap {value}</source>
            <translation>最长间隔 {value}</translation>
        </message>
        <message>
            <source>longest in the group: {0} ms · rank {1}</source>
            <translation>组内最长：{0} ms · 卡 {1}</translation>
        </message>
        <message>
            <source>lost to rounding</source>
            <translation>对齐损失</translation>
        </message>
        <message>
            <source>low</source>
            <translation>低</translation>
        </message>
        <message>
            <source>marked by ProfilerStep</source>
            <translation>由 ProfilerStep 标记</translation>
        </message>
        <message>
            <source>max</source>
            <translation>最大</translation>
        </message>
        <message>
            <source>medium</source>
            <translation>中</translation>
        </message>
        <message>
            <source>memory</source>
            <translation>访存</translation>
        </message>
        <message>
            <source>memory access</source>
            <translation>访存</translation>
        </message>
        <message>
            <source>memory of driver and CANN modules</source>
            <translation>驱动和 CANN 模块的内存</translation>
        </message>
        <message>
            <source>memory plan of static graphs</source>
            <translation>静态图的内存规划</translation>
        </message>
        <message>
            <source>memory snapshots of torch_npu</source>
            <translation>torch_npu 内存快照</translation>
        </message>
        <message>
            <source>memory_record holds no rows of the components of this grouping.</source>
            <translation>memory_record 中没有该分组所含组件的行。</translation>
        </message>
        <message>
            <source>metadata</source>
            <translation>元数据</translation>
        </message>
        <message>
            <source>min</source>
            <translation>最小</translation>
        </message>
        <message>
            <source>missing</source>
            <translation>缺失</translation>
        </message>
        <message>
            <source>missing {0}</source>
            <translation>缺少 {0}</translation>
        </message>
        <message>
            <source>mixed</source>
            <translation>mixed</translation>
        </message>
        <message>
            <source>mixed P50</source>
            <translation>含 Prefill P50</translation>
        </message>
        <message>
            <source>more than average</source>
            <translation>多于平均</translation>
        </message>
        <message>
            <source>moved: relink…</source>
            <translation>已移动：重新关联…</translation>
        </message>
        <message>
            <source>names and members of the groups</source>
            <translation>通信域的名称与成员</translation>
        </message>
        <message>
            <source>never freed</source>
            <translation>未释放</translation>
        </message>
        <message>
            <source>no arrival</source>
            <translation>无到达</translation>
        </message>
        <message>
            <source>no events of {0}</source>
            <translation>{0} 个事件均未读取</translation>
        </message>
        <message>
            <source>no launch: the end of the dequeue is used</source>
            <translation>无下发：使用出队的结束时间</translation>
        </message>
        <message>
            <source>no limits set</source>
            <translation>未设限制</translation>
        </message>
        <message>
            <source>no link</source>
            <translation>无链路</translation>
        </message>
        <message>
            <source>no part is far above the average</source>
            <translation>没有明显高于平均的部分</translation>
        </message>
        <message>
            <source>no read permission</source>
            <translation>没有读取权限</translation>
        </message>
        <message>
            <source>no stack</source>
            <translation>无调用栈</translation>
        </message>
        <message>
            <source>no step times</source>
            <translation>没有迭代时间</translation>
        </message>
        <message>
            <source>no time of its own</source>
            <translation>本身不耗时</translation>
        </message>
        <message>
            <source>no timeline</source>
            <translation>无时间线</translation>
        </message>
        <message>
            <source>no token</source>
            <translation>无 token</translation>
        </message>
        <message>
            <source>none</source>
            <translation>无</translation>
        </message>
        <message>
            <source>normal</source>
            <translation>正常</translation>
        </message>
        <message>
            <source>not allocated yet</source>
            <translation>尚未申请</translation>
        </message>
        <message>
            <source>not in the data</source>
            <translation>数据中没有</translation>
        </message>
        <message>
            <source>not needed</source>
            <translation>不需要</translation>
        </message>
        <message>
            <source>not read</source>
            <translation>未读取</translation>
        </message>
        <message>
            <source>not recorded</source>
            <translation>未记录</translation>
        </message>
        <message>
            <source>not there after event {0}</source>
            <translation>事件 {0} 之后不存在</translation>
        </message>
        <message>
            <source>not there, not needed</source>
            <translation>不存在，也不需要</translation>
        </message>
        <message>
            <source>note</source>
            <translation>说明</translation>
        </message>
        <message>
            <source>ns or</source>
            <translation>ns 或</translation>
        </message>
        <message>
            <source>of the {0} listed</source>
            <translation>所列 {0} 项之内</translation>
        </message>
        <message>
            <source>one block ends, another one begins</source>
            <translation>一个内存块结束，另一个开始</translation>
        </message>
        <message>
            <source>one graph</source>
            <translation>同一张图</translation>
        </message>
        <message>
            <source>one row per kernel: type, shapes, times, counters</source>
            <translation>每个算子一行：类型、Shape、时间、计数器</translation>
        </message>
        <message>
            <source>one row per rank and step: computing, communication, free</source>
            <translation>每卡每迭代一行：计算、通信、空闲</translation>
        </message>
        <message>
            <source>only in baseline</source>
            <translation>仅基线有</translation>
        </message>
        <message>
            <source>only in comparison</source>
            <translation>仅对比有</translation>
        </message>
        <message>
            <source>opens in {seconds} s</source>
            <translation>约 {seconds} s 打开</translation>
        </message>
        <message>
            <source>operators between the ranks</source>
            <translation>卡间算子</translation>
        </message>
        <message>
            <source>operators with their times and packets</source>
            <translation>算子及其时间和通信包</translation>
        </message>
        <message>
            <source>other</source>
            <translation>other</translation>
        </message>
        <message>
            <source>other pool or stream</source>
            <translation>其他内存池或流</translation>
        </message>
        <message>
            <source>output</source>
            <translation>输出</translation>
        </message>
        <message>
            <source>over SLO</source>
            <translation>超标</translation>
        </message>
        <message>
            <source>peak in range {0} MB at {1} ms</source>
            <translation>区间内峰值 {0} MB，位于 {1} ms</translation>
        </message>
        <message>
            <source>peak {0}</source>
            <translation>峰值 {0}</translation>
        </message>
        <message>
            <source>peaks of {0} samples</source>
            <translation>{0} 个采样的峰值</translation>
        </message>
        <message>
            <source>pending</source>
            <translation>等待释放</translation>
        </message>
        <message>
            <source>pending free</source>
            <translation>等待释放</translation>
        </message>
        <message>
            <source>per step</source>
            <translation>每个迭代</translation>
        </message>
        <message>
            <source>per user against per card</source>
            <translation>每用户对每卡</translation>
        </message>
        <message>
            <source>percentiles</source>
            <translation>百分位</translation>
        </message>
        <message>
            <source>period found in the data</source>
            <translation>由数据中的周期推断</translation>
        </message>
        <message>
            <source>preempted {0} times, {1}</source>
            <translation>被抢占 {0} 次，{1}</translation>
        </message>
        <message>
            <source>preemptions</source>
            <translation>抢占</translation>
        </message>
        <message>
            <source>prefill</source>
            <translation>prefill</translation>
        </message>
        <message>
            <source>process {0}</source>
            <translation>进程 {0}</translation>
        </message>
        <message>
            <source>profile of one kernel</source>
            <translation>单个算子的性能数据</translation>
        </message>
        <message>
            <source>profiler output of one card or a whole cluster</source>
            <translation>单卡或整个集群的 profiler 输出</translation>
        </message>
        <message>
            <source>profilers, cluster analysis, serving, MemScope</source>
            <translation>Profiler、集群分析、服务化、MemScope</translation>
        </message>
        <message>
            <source>prompts of arrivals</source>
            <translation>到达请求的提示词</translation>
        </message>
        <message>
            <source>pure P50</source>
            <translation>纯 Decode P50</translation>
        </message>
        <message>
            <source>pure decode</source>
            <translation>纯 Decode</translation>
        </message>
        <message>
            <source>queue</source>
            <translation>排队</translation>
        </message>
        <message>
            <source>queue {0} ({1} of TTFT)</source>
            <translation>排队 {0}（占 TTFT 的 {1}）</translation>
        </message>
        <message>
            <source>rank {0}</source>
            <translation>rank {0}</translation>
        </message>
        <message>
            <source>ranks by the time that others waited for them</source>
            <translation>按其他卡等待的时间排列</translation>
        </message>
        <message>
            <source>ranks {0}</source>
            <translation>卡 {0}</translation>
        </message>
        <message>
            <source>reading</source>
            <translation>读取中</translation>
        </message>
        <message>
            <source>ready</source>
            <translation>就绪</translation>
        </message>
        <message>
            <source>reclaimable</source>
            <translation>可回收</translation>
        </message>
        <message>
            <source>recomputed from what was added and ended</source>
            <translation>按加入与结束数重新计算</translation>
        </message>
        <message>
            <source>recorded curves and tables, events</source>
            <translation>记录的曲线、表格与事件</translation>
        </message>
        <message>
            <source>regex</source>
            <translation>正则</translation>
        </message>
        <message>
            <source>released by SET</source>
            <translation>由 SET 释放</translation>
        </message>
        <message>
            <source>replay of the arrivals with the fitted step</source>
            <translation>用拟合的单步模型重放到达</translation>
        </message>
        <message>
            <source>replay of {0} arrivals with the fitted step</source>
            <translation>用拟合的单步模型重放 {0} 次到达</translation>
        </message>
        <message>
            <source>req/s</source>
            <translation>req/s</translation>
        </message>
        <message>
            <source>requests</source>
            <translation>请求</translation>
        </message>
        <message>
            <source>requests, batches, cache, forward passes</source>
            <translation>请求、批次、缓存、前向</translation>
        </message>
        <message>
            <source>reserved</source>
            <translation>预留</translation>
        </message>
        <message>
            <source>runs</source>
            <translation>运行</translation>
        </message>
        <message>
            <source>s</source>
            <translation>s</translation>
        </message>
        <message>
            <source>samples</source>
            <translation>样本</translation>
        </message>
        <message>
            <source>scalar instructions</source>
            <translation>标量指令</translation>
        </message>
        <message>
            <source>scheduling</source>
            <translation>调度</translation>
        </message>
        <message>
            <source>see more</source>
            <translation>查看更多</translation>
        </message>
        <message>
            <source>segments</source>
            <translation>内存段数</translation>
        </message>
        <message>
            <source>session</source>
            <translation>会话</translation>
        </message>
        <message>
            <source>set by you</source>
            <translation>由你设定</translation>
        </message>
        <message>
            <source>several tags</source>
            <translation>多个标签</translation>
        </message>
        <message>
            <source>share of each group, largest first</source>
            <translation>各分组占比，最大者在前</translation>
        </message>
        <message>
            <source>share of the time in which each is busy, stacked; they work side by side, so sums pass 100 %</source>
            <translation>各流水线忙碌时间占比（堆叠）；它们并行工作，合计可超过 100 %</translation>
        </message>
        <message>
            <source>shorter</source>
            <translation>更短</translation>
        </message>
        <message>
            <source>shortest communication: the others wait for them</source>
            <translation>通信时间最短：其他卡在等待</translation>
        </message>
        <message>
            <source>simulation</source>
            <translation>仿真</translation>
        </message>
        <message>
            <source>slow</source>
            <translation>慢</translation>
        </message>
        <message>
            <source>small</source>
            <translation>小</translation>
        </message>
        <message>
            <source>smallest {0} first</source>
            <translation>{0} 从小到大</translation>
        </message>
        <message>
            <source>snapshot</source>
            <translation>快照</translation>
        </message>
        <message>
            <source>stalled</source>
            <translation>停顿</translation>
        </message>
        <message>
            <source>step time {0} ms</source>
            <translation>迭代时间 {0} ms</translation>
        </message>
        <message>
            <source>step {0}</source>
            <translation>迭代 {0}</translation>
        </message>
        <message>
            <source>step: outlives the next step; three marks: HAL memory between marks; growth: more at the end of every step; unreleased: allocated in the range, not freed in it</source>
            <translation>step：存活超过下一步；three marks：标记之间的 HAL 内存；growth：每步结束时持续增长；unreleased：区间内申请且未释放</translation>
        </message>
        <message>
            <source>steps at every malloc and free; a click marks a time</source>
            <translation>每次申请和释放为一级台阶；点击可标记时刻</translation>
        </message>
        <message>
            <source>stream {0}</source>
            <translation>流 {0}</translation>
        </message>
        <message>
            <source>sum of {0} steps</source>
            <translation>{0} 个迭代之和</translation>
        </message>
        <message>
            <source>sum {0}</source>
            <translation>合计 {0}</translation>
        </message>
        <message>
            <source>sum {0} µs</source>
            <translation>合计 {0} µs</translation>
        </message>
        <message>
            <source>sum {value}</source>
            <translation>合计 {value}</translation>
        </message>
        <message>
            <source>tables: curves of them</source>
            <translation>表格：由其得到曲线</translation>
        </message>
        <message>
            <source>tail</source>
            <translation>收尾</translation>
        </message>
        <message>
            <source>taken</source>
            <translation>占用</translation>
        </message>
        <message>
            <source>taken by a workspace of the device</source>
            <translation>被设备 workspace 占用</translation>
        </message>
        <message>
            <source>target {0}</source>
            <translation>目标 {0}</translation>
        </message>
        <message>
            <source>the block lives from the start of the data</source>
            <translation>内存块从数据起点开始存在</translation>
        </message>
        <message>
            <source>the first {0} of {1} blocks</source>
            <translation>前 {0} 个，共 {1} 个 Block</translation>
        </message>
        <message>
            <source>the first {n} are shown</source>
            <translation>仅显示前 {n} 行</translation>
        </message>
        <message>
            <source>the longest of {n}</source>
            <translation>{n} 项中最长的</translation>
        </message>
        <message>
            <source>the longest {n} slices</source>
            <translation>最长的 {n} 个切片</translation>
        </message>
        <message>
            <source>the only one of this name on the card</source>
            <translation>该卡上唯一的同名切片</translation>
        </message>
        <message>
            <source>the same in one database</source>
            <translation>相同数据的数据库形式</translation>
        </message>
        <message>
            <source>their tasks belong to one captured graph</source>
            <translation>这些任务属于同一张捕获图</translation>
        </message>
        <message>
            <source>this run</source>
            <translation>本次运行</translation>
        </message>
        <message>
            <source>this snapshot</source>
            <translation>当前快照</translation>
        </message>
        <message>
            <source>timeline with overlap analysis</source>
            <translation>带重叠分析的时间线</translation>
        </message>
        <message>
            <source>times are not in order</source>
            <translation>时间顺序不一致</translation>
        </message>
        <message>
            <source>times of the steps of every rank</source>
            <translation>各卡的迭代时间</translation>
        </message>
        <message>
            <source>times since {0}</source>
            <translation>时间起点 {0}</translation>
        </message>
        <message>
            <source>to</source>
            <translation>至</translation>
        </message>
        <message>
            <source>tok/s</source>
            <translation>tok/s</translation>
        </message>
        <message>
            <source>tokens from {0}</source>
            <translation>token 取自 {0}</translation>
        </message>
        <message>
            <source>total: all operators of the type. top1, middle, bottom1 to bottom3: one operator per link, by its place in the order of bandwidth, the fastest first.</source>
            <translation>total：该类型的全部算子。top1、middle、bottom1 至 bottom3：每条链路按带宽从高到低排序后对应位置的一个算子。</translation>
        </message>
        <message>
            <source>totals of the allocators over time</source>
            <translation>分配器总量随时间的变化</translation>
        </message>
        <message>
            <source>trace_view, msprof, chrome_tracing</source>
            <translation>trace_view、msprof、chrome_tracing</translation>
        </message>
        <message>
            <source>true shortage</source>
            <translation>内存确实不足</translation>
        </message>
        <message>
            <source>under way</source>
            <translation>处理中</translation>
        </message>
        <message>
            <source>unfinished</source>
            <translation>未完成</translation>
        </message>
        <message>
            <source>unknown</source>
            <translation>未知</translation>
        </message>
        <message>
            <source>unused tail</source>
            <translation>未用尾部</translation>
        </message>
        <message>
            <source>use {0} of {1}</source>
            <translation>第 {0}/{1} 次使用</translation>
        </message>
        <message>
            <source>visualize_data of msprof op</source>
            <translation>msprof op 的 visualize_data</translation>
        </message>
        <message>
            <source>waited {0} µs</source>
            <translation>等待 {0} µs</translation>
        </message>
        <message>
            <source>waiting</source>
            <translation>等待中</translation>
        </message>
        <message>
            <source>warning</source>
            <translation>警告</translation>
        </message>
        <message>
            <source>whole job, all steps and groups</source>
            <translation>整个集群，全部迭代与通信域</translation>
        </message>
        <message>
            <source>whole name</source>
            <translation>完整名称</translation>
        </message>
        <message>
            <source>with and without prefill in the batch</source>
            <translation>批次中含与不含 Prefill</translation>
        </message>
        <message>
            <source>with notes</source>
            <translation>有说明</translation>
        </message>
        <message>
            <source>with prefill</source>
            <translation>含 Prefill</translation>
        </message>
        <message>
            <source>word</source>
            <translation>单词</translation>
        </message>
        <message>
            <source>worse ▼</source>
            <translation>更差 ▼</translation>
        </message>
        <message>
            <source>{0} % of the nearest roof</source>
            <translation>达到最近屋顶的 {0} %</translation>
        </message>
        <message>
            <source>{0} (All)</source>
            <translation>{0}（全部）</translation>
        </message>
        <message>
            <source>{0} (right axis)</source>
            <translation>{0}（右轴）</translation>
        </message>
        <message>
            <source>{0} Range(Max-Min)</source>
            <translation>{0}极差（最大与最小间的差值）</translation>
        </message>
        <message>
            <source>{0} Size</source>
            <translation>{0}大小</translation>
        </message>
        <message>
            <source>{0} against baseline {1}</source>
            <translation>{0} 对比基线 {1}</translation>
        </message>
        <message>
            <source>{0} against length</source>
            <translation>{0} 与长度的关系</translation>
        </message>
        <message>
            <source>{0} against the baseline: {1} µs ({2}).</source>
            <translation>{0}与基线相比：{1} µs ({2})。</translation>
        </message>
        <message>
            <source>{0} allocations</source>
            <translation>{0} 次分配</translation>
        </message>
        <message>
            <source>{0} allocations alive</source>
            <translation>{0} 次分配存活</translation>
        </message>
        <message>
            <source>{0} at {1}</source>
            <translation>{0}，位于 {1}</translation>
        </message>
        <message>
            <source>{0} blocks</source>
            <translation>{0} 个内存块</translation>
        </message>
        <message>
            <source>{0} blocks allocated in the visible range and not freed at its end</source>
            <translation>可见区间内申请且到区间末尾仍未释放的内存块：{0} 个</translation>
        </message>
        <message>
            <source>{0} blocks · at most {1} in use, at line {2} · highest address {3}</source>
            <translation>{0} 个内存块 · 最多使用 {1}（第 {2} 行）· 最高地址 {3}</translation>
        </message>
        <message>
            <source>{0} blocks, {1}</source>
            <translation>{0} 个内存块，{1}</translation>
        </message>
        <message>
            <source>{0} busy</source>
            <translation>忙碌 {0}</translation>
        </message>
        <message>
            <source>{0} cache lines · {1} hit events · {2} miss events · hit rate {3}</source>
            <translation>{0} 个缓存行 · 命中 {1} 次 · 未命中 {2} 次 · 命中率 {3}</translation>
        </message>
        <message>
            <source>{0} calls</source>
            <translation>{0} 次调用</translation>
        </message>
        <message>
            <source>{0} cards aligned by {1}, number {2} of its name.</source>
            <translation>{0} 张卡已按 {1}（同名第 {2} 个）对齐。</translation>
        </message>
        <message>
            <source>{0} communication operators</source>
            <translation>{0} 个通信算子</translation>
        </message>
        <message>
            <source>{0} computing kernels</source>
            <translation>{0} 个计算算子</translation>
        </message>
        <message>
            <source>{0} cores</source>
            <translation>{0} 个核</translation>
        </message>
        <message>
            <source>{0} cycles</source>
            <translation>{0} 周期</translation>
        </message>
        <message>
            <source>{0} cycles ({1} of the core)</source>
            <translation>{0} 个 cycle（占该核 {1}）</translation>
        </message>
        <message>
            <source>{0} damaged rows of the kernel file were left out.</source>
            <translation>已略过算子文件中 {0} 行损坏的数据。</translation>
        </message>
        <message>
            <source>{0} differences</source>
            <translation>{0} 条差异</translation>
        </message>
        <message>
            <source>{0} differs by {1} ms between the ranks, {2} of the mean step time.</source>
            <translation>各卡的{0}相差 {1} ms，为平均迭代时间的 {2}。</translation>
        </message>
        <message>
            <source>{0} differs by {1} ms per step between the ranks, {2} of the mean step time.</source>
            <translation>各卡的{0}每迭代相差 {1} ms，为平均迭代时间的 {2}。</translation>
        </message>
        <message>
            <source>{0} events</source>
            <translation>{0} 个事件</translation>
        </message>
        <message>
            <source>{0} executions</source>
            <translation>执行 {0} 次</translation>
        </message>
        <message>
            <source>{0} findings, the costliest first. Costs overlap: waiting for a slow rank is also communication.</source>
            <translation>{0} 项发现，按代价从大到小。代价有重叠：等待慢卡同时也是通信。</translation>
        </message>
        <message>
            <source>{0} frames of the interpreter hidden</source>
            <translation>已隐藏 {0} 个解释器栈帧</translation>
        </message>
        <message>
            <source>{0} has no requests to measure</source>
            <translation>{0} 没有可统计的请求</translation>
        </message>
        <message>
            <source>{0} has no slice of this name.</source>
            <translation>{0} 没有此名称的切片。</translation>
        </message>
        <message>
            <source>{0} has only {1} of them.</source>
            <translation>{0} 只有 {1} 个。</translation>
        </message>
        <message>
            <source>{0} holds no figures of a kernel</source>
            <translation>{0} 没有算子指标</translation>
        </message>
        <message>
            <source>{0} inconsistencies repaired</source>
            <translation>已修复 {0} 处不一致</translation>
        </message>
        <message>
            <source>{0} inside</source>
            <translation>{0} 达标</translation>
        </message>
        <message>
            <source>{0} instructions</source>
            <translation>{0} 条指令</translation>
        </message>
        <message>
            <source>{0} is bound by {1}: {2} busy for {3} of its time.</source>
            <translation>{0} 受{1}限制：{2} 忙碌时间占其耗时的 {3}。</translation>
        </message>
        <message>
            <source>{0} is {1}.</source>
            <translation>{0}为 {1}。</translation>
        </message>
        <message>
            <source>{0} kernels take far longer than their like and cost {1} µs.</source>
            <translation>{0} 个算子的耗时远超同类，多花费 {1} µs。</translation>
        </message>
        <message>
            <source>{0} kernels, ranked by duration</source>
            <translation>{0} 个算子，按耗时排序</translation>
        </message>
        <message>
            <source>{0} layers, {1} experts</source>
            <translation>{0} 层，{1} 个专家</translation>
        </message>
        <message>
            <source>{0} meet all limits</source>
            <translation>{0} 满足全部限制</translation>
        </message>
        <message>
            <source>{0} members</source>
            <translation>{0} 个成员</translation>
        </message>
        <message>
            <source>{0} more</source>
            <translation>还有 {0} 条</translation>
        </message>
        <message>
            <source>{0} more notes about single ranks.</source>
            <translation>另有 {0} 条关于单卡的说明。</translation>
        </message>
        <message>
            <source>{0} ms</source>
            <translation>{0} ms</translation>
        </message>
        <message>
            <source>{0} ms + {1} µs per prefill token + {2} ms per decoding request, R² {3}</source>
            <translation>{0} ms + 每 Prefill token {1} µs + 每 Decode 请求 {2} ms，R² {3}</translation>
        </message>
        <message>
            <source>{0} ms in {1} groups</source>
            <translation>{1} 通信域中 {0} ms</translation>
        </message>
        <message>
            <source>{0} number({1})</source>
            <translation>{0} 序号({1})</translation>
        </message>
        <message>
            <source>{0} of its name</source>
            <translation>同名的 {0}</translation>
        </message>
        <message>
            <source>{0} of its time: {1} ({2} ms).</source>
            <translation>其耗时的 {0}：{1}（{2} ms）。</translation>
        </message>
        <message>
            <source>{0} of the operators over {1} move less than {2} MB.</source>
            <translation>{1} 上 {0} 的算子传输量小于 {2} MB。</translation>
        </message>
        <message>
            <source>{0} of the speed of links that do the same; {1} of {2} links are slow.</source>
            <translation>速度为同类链路的 {0}；{2} 条链路中有 {1} 条较慢。</translation>
        </message>
        <message>
            <source>{0} of the time</source>
            <translation>占时间的 {0}</translation>
        </message>
        <message>
            <source>{0} of the time ≥ 90 %</source>
            <translation>{0} 的时间 ≥ 90 %</translation>
        </message>
        <message>
            <source>{0} of this name, sum {1}</source>
            <translation>同名 {0} 个，合计 {1}</translation>
        </message>
        <message>
            <source>{0} of {1}</source>
            <translation>{0} / {1}</translation>
        </message>
        <message>
            <source>{0} of {1} drafted tokens were accepted; a step gives {2} tokens.</source>
            <translation>{1} 个草稿 token 中 {0} 被接受；每步产出 {2} 个 token。</translation>
        </message>
        <message>
            <source>{0} of {1} events are read. Blocks that live at the first one count as allocated before; totals and states stay those of the whole file.</source>
            <translation>将读取 {1} 个事件中的 {0} 个。首个事件时已存活的块视为此前已分配；总量和状态与整个文件一致。</translation>
        </message>
        <message>
            <source>{0} of {1} groups make {2} of {3} µs (class A).</source>
            <translation>{1} 个分组中的 {0} 个占 {3} µs 的 {2}（A 类）。</translation>
        </message>
        <message>
            <source>{0} of {1} instructions</source>
            <translation>{0} / {1} 条指令</translation>
        </message>
        <message>
            <source>{0} of {1} lanes of this name are pinned.</source>
            <translation>此名称的 {1} 条泳道中有 {0} 条已置顶。</translation>
        </message>
        <message>
            <source>{0} of {1} operators of the whole job, {2} ms.</source>
            <translation>整个集群 {1} 个算子中的 {0} 个，{2} ms。</translation>
        </message>
        <message>
            <source>{0} of {1} ranks</source>
            <translation>{1} 张卡中的 {0} 张</translation>
        </message>
        <message>
            <source>{0} of {1} ranks are open; only they are looked at</source>
            <translation>{1} 张卡中打开了 {0} 张；只分析已打开的卡</translation>
        </message>
        <message>
            <source>{0} of {1} requests</source>
            <translation>{0} / {1} 个请求</translation>
        </message>
        <message>
            <source>{0} of {1} rows</source>
            <translation>{0} / {1} 行</translation>
        </message>
        <message>
            <source>{0} of {1} rows · cost {2} µs</source>
            <translation>{0} / {1} 行 · 多耗 {2} µs</translation>
        </message>
        <message>
            <source>{0} of {1} rows · {2} of the time</source>
            <translation>{0} / {1} 行 · 占时间的 {2}</translation>
        </message>
        <message>
            <source>{0} of {1} shown</source>
            <translation>显示 {0} / {1}</translation>
        </message>
        <message>
            <source>{0} of {1} sources missing</source>
            <translation>缺少 {0} / {1} 个来源</translation>
        </message>
        <message>
            <source>{0} operators</source>
            <translation>{0} 个算子</translation>
        </message>
        <message>
            <source>{0} over time</source>
            <translation>{0} 随时间的变化</translation>
        </message>
        <message>
            <source>{0} peak</source>
            <translation>{0} 峰值</translation>
        </message>
        <message>
            <source>{0} points are drawn. Zooming in shows all.</source>
            <translation>已绘制 {0} 个点，放大可显示全部。</translation>
        </message>
        <message>
            <source>{0} preempted</source>
            <translation>抢占 {0}</translation>
        </message>
        <message>
            <source>{0} preemptions of {1} requests cost {2} and {3} tokens again.</source>
            <translation>{1} 个请求的 {0} 次抢占损失 {2}，并重算 {3} 个 token。</translation>
        </message>
        <message>
            <source>{0} ranks</source>
            <translation>{0} 张卡</translation>
        </message>
        <message>
            <source>{0} ranks, {1} bars</source>
            <translation>{0} 张卡，{1} 条</translation>
        </message>
        <message>
            <source>{0} reach beyond the last bank</source>
            <translation>{0} 个超出最后一个 bank</translation>
        </message>
        <message>
            <source>{0} recorded values differ</source>
            <translation>{0} 个记录值不一致</translation>
        </message>
        <message>
            <source>{0} related of {1} instructions</source>
            <translation>{1} 条指令中 {0} 条相关</translation>
        </message>
        <message>
            <source>{0} rows</source>
            <translation>{0} 行</translation>
        </message>
        <message>
            <source>{0} samples · double click: the nearest request</source>
            <translation>{0} 个样本 · 双击：最接近的请求</translation>
        </message>
        <message>
            <source>{0} samples, all drawn</source>
            <translation>{0} 个采样，全部绘制</translation>
        </message>
        <message>
            <source>{0} segments</source>
            <translation>{0} 个内存段</translation>
        </message>
        <message>
            <source>{0} size is {1}.</source>
            <translation>{0}大小为 {1}。</translation>
        </message>
        <message>
            <source>{0} steps</source>
            <translation>{0} 个迭代</translation>
        </message>
        <message>
            <source>{0} steps, {1}: {2}</source>
            <translation>{0} 步，{1}：{2}</translation>
        </message>
        <message>
            <source>{0} tokens</source>
            <translation>{0} 个 token</translation>
        </message>
        <message>
            <source>{0} unfinished · {1} truncated</source>
            <translation>未完成 {0} · 截断 {1}</translation>
        </message>
        <message>
            <source>{0} units hidden</source>
            <translation>已隐藏 {0} 个单元</translation>
        </message>
        <message>
            <source>{0} with another offset left out</source>
            <translation>略去 {0} 个偏移不同的泳道</translation>
        </message>
        <message>
            <source>{0} · double click: show in Timeline</source>
            <translation>{0} · 双击：在时间线中显示</translation>
        </message>
        <message>
            <source>{0} · double click: the request</source>
            <translation>{0} · 双击：对应请求</translation>
        </message>
        <message>
            <source>{0}, such as 512 KB or 1.5 MB</source>
            <translation>{0}，例如 512 KB 或 1.5 MB</translation>
        </message>
        <message>
            <source>{0}: a step takes {1}</source>
            <translation>{0}：一个迭代耗时 {1}</translation>
        </message>
        <message>
            <source>{0}: bandwidth is the bottleneck.</source>
            <translation>{0}：带宽是瓶颈。</translation>
        </message>
        <message>
            <source>{0}: card {1} minus card {2}</source>
            <translation>{0}：卡 {1} 减卡 {2}</translation>
        </message>
        <message>
            <source>{0}: communication efficiency is low.</source>
            <translation>{0}：通信效率低。</translation>
        </message>
        <message>
            <source>{0}: distribution</source>
            <translation>{0}：分布</translation>
        </message>
        <message>
            <source>{0}: double click to edit</source>
            <translation>{0}：双击编辑</translation>
        </message>
        <message>
            <source>{0}: no slice of the Timeline belongs to it.</source>
            <translation>{0}：时间线中没有属于它的色块。</translation>
        </message>
        <message>
            <source>{0}: nothing stands out</source>
            <translation>{0}：没有突出问题</translation>
        </message>
        <message>
            <source>{0}: one slice.</source>
            <translation>{0}：1 个色块。</translation>
        </message>
        <message>
            <source>{0}: percentiles</source>
            <translation>{0}：百分位</translation>
        </message>
        <message>
            <source>{0}: {1} of the file</source>
            <translation>{0}：占该文件的 {1}</translation>
        </message>
        <message>
            <source>{0}: {1} of {2}, {3}.</source>
            <translation>{0}：占{2}的 {1}，{3}。</translation>
        </message>
        <message>
            <source>{0}: {1} ranks, {2} bars</source>
            <translation>{0}：{1} 张卡，{2} 个色块</translation>
        </message>
        <message>
            <source>{0}: {1} rows, {2} columns</source>
            <translation>{0}：{1} 行，{2} 列</translation>
        </message>
        <message>
            <source>{0}: {1} slices. The first one is selected, the others of the kernel are dimmed.</source>
            <translation>{0}：{1} 个色块。已选中第一个，该算子的其他色块变暗。</translation>
        </message>
        <message>
            <source>{asked} asked, largest gap {gap}, gaps together {gaps}, device free {free}.</source>
            <translation>申请 {asked}，最大空隙 {gap}，空隙总量 {gaps}，设备空闲 {free}。</translation>
        </message>
        <message>
            <source>{at} of {n} of this name</source>
            <translation>同名切片第 {at} 个，共 {n} 个</translation>
        </message>
        <message>
            <source>{a} to {b} of its name</source>
            <translation>同名的 {a} 至 {b}</translation>
        </message>
        <message>
            <source>{card} could not be read</source>
            <translation>无法读取 {card}</translation>
        </message>
        <message>
            <source>{card} has no timeline</source>
            <translation>{card} 没有时间线</translation>
        </message>
        <message>
            <source>{card} is being read</source>
            <translation>正在读取 {card}</translation>
        </message>
        <message>
            <source>{card} was not read yet</source>
            <translation>{card} 尚未读取</translation>
        </message>
        <message>
            <source>{card} was read</source>
            <translation>{card} 已读取</translation>
        </message>
        <message>
            <source>{card} was read with notes</source>
            <translation>{card} 已读取，有说明</translation>
        </message>
        <message>
            <source>{card} · device {device}</source>
            <translation>{card} · 设备 {device}</translation>
        </message>
        <message>
            <source>{command} has no key now.</source>
            <translation>{command} 现在没有按键。</translation>
        </message>
        <message>
            <source>{command}: {keys}</source>
            <translation>{command}：{keys}</translation>
        </message>
        <message>
            <source>{count} blocks</source>
            <translation>{count} 个内存块</translation>
        </message>
        <message>
            <source>{count} cards</source>
            <translation>{count} 张卡</translation>
        </message>
        <message>
            <source>{count} cards are not complete: {names}.</source>
            <translation>{count} 张卡的数据不完整：{names}。</translation>
        </message>
        <message>
            <source>{count} failed</source>
            <translation>{count} 失败</translation>
        </message>
        <message>
            <source>{count} files and folders are selected.</source>
            <translation>已选择 {count} 个文件和文件夹。</translation>
        </message>
        <message>
            <source>{count} functions found</source>
            <translation>找到 {count} 个函数</translation>
        </message>
        <message>
            <source>{count} functions, the longest is {name}</source>
            <translation>{count} 个函数，最长的是 {name}</translation>
        </message>
        <message>
            <source>{count} never freed, {size}</source>
            <translation>{count} 个未释放，{size}</translation>
        </message>
        <message>
            <source>{count} not read</source>
            <translation>{count} 未读取</translation>
        </message>
        <message>
            <source>{count} notes</source>
            <translation>{count} 条说明</translation>
        </message>
        <message>
            <source>{count} paths are left out; the others can be opened.</source>
            <translation>{count} 个路径被排除，其余可以打开。</translation>
        </message>
        <message>
            <source>{count} reading</source>
            <translation>{count} 读取中</translation>
        </message>
        <message>
            <source>{count} ready</source>
            <translation>{count} 就绪</translation>
        </message>
        <message>
            <source>{count} rows ignored</source>
            <translation>忽略 {count} 行</translation>
        </message>
        <message>
            <source>{count} waiting</source>
            <translation>{count} 等待中</translation>
        </message>
        <message>
            <source>{done} of {total}</source>
            <translation>{done} / {total}</translation>
        </message>
        <message>
            <source>{done} of {total} cards</source>
            <translation>{done} / {total} 张卡</translation>
        </message>
        <message>
            <source>{keys} belongs to “{command}”. Choose other keys, or take them from it first.</source>
            <translation>{keys} 已属于“{command}”。请选择其他按键，或先将其从该命令移除。</translation>
        </message>
        <message>
            <source>{minutes} min left</source>
            <translation>剩余 {minutes} min</translation>
        </message>
        <message>
            <source>{name} has no communication data of several ranks.</source>
            <translation>{name} 没有多卡的通信数据。</translation>
        </message>
        <message>
            <source>{name} is another file than when the session was saved.</source>
            <translation>{name} 与保存会话时的文件不同。</translation>
        </message>
        <message>
            <source>{name} is being compared.</source>
            <translation>{name} 正在参与对比。</translation>
        </message>
        <message>
            <source>{name} was left out</source>
            <translation>已忽略 {name}</translation>
        </message>
        <message>
            <source>{n} boxes, {share} of the time</source>
            <translation>{n} 个方块，占时间的 {share}</translation>
        </message>
        <message>
            <source>{n} counter series</source>
            <translation>{n} 个计数器序列</translation>
        </message>
        <message>
            <source>{n} entries</source>
            <translation>{n} 项</translation>
        </message>
        <message>
            <source>{n} hits</source>
            <translation>{n} 个结果</translation>
        </message>
        <message>
            <source>{n} idle gaps folded, {time} in all</source>
            <translation>已折叠 {n} 个空闲间隙，共 {time}</translation>
        </message>
        <message>
            <source>{n} lanes</source>
            <translation>{n} 条泳道</translation>
        </message>
        <message>
            <source>{n} lines</source>
            <translation>{n} 行</translation>
        </message>
        <message>
            <source>{n} of {all} slices pass the filter</source>
            <translation>{all} 个切片中有 {n} 个通过过滤</translation>
        </message>
        <message>
            <source>{n} of {m} items</source>
            <translation>{m} 项中的 {n} 项</translation>
        </message>
        <message>
            <source>{n} of {m} names · {k} of {l} slices</source>
            <translation>{m} 个名称中的 {n} 个 · {l} 个切片中的 {k} 个</translation>
        </message>
        <message>
            <source>{n} of {m} slices</source>
            <translation>{m} 个切片中的 {n} 个</translation>
        </message>
        <message>
            <source>{n} requests</source>
            <translation>{n} 个请求</translation>
        </message>
        <message>
            <source>{n} rows</source>
            <translation>{n} 行</translation>
        </message>
        <message>
            <source>{n} rows in {time}</source>
            <translation>{n} 行，用时 {time}</translation>
        </message>
        <message>
            <source>{n} slices</source>
            <translation>{n} 个切片</translation>
        </message>
        <message>
            <source>{n} slices were written to {path}.</source>
            <translation>已将 {n} 个切片写入 {path}。</translation>
        </message>
        <message>
            <source>{n} {what} of this card were looked at.</source>
            <translation>已检查该卡的 {n} {what}。</translation>
        </message>
        <message>
            <source>{path} does not exist.</source>
            <translation>{path} 不存在。</translation>
        </message>
        <message>
            <source>{path} is not there any more.</source>
            <translation>{path} 已不存在。</translation>
        </message>
        <message>
            <source>{position} of {count}, longest first</source>
            <translation>第 {position} / {count}，按时长降序</translation>
        </message>
        <message>
            <source>{project}: {path} is not there any more.</source>
            <translation>{project}：{path} 已不存在。</translation>
        </message>
        <message>
            <source>{seconds} s left</source>
            <translation>剩余 {seconds} s</translation>
        </message>
        <message>
            <source>{severity} on card {card}</source>
            <translation>卡 {card} 的{severity}</translation>
        </message>
        <message>
            <source>{share} of all</source>
            <translation>占全部的 {share}</translation>
        </message>
        <message>
            <source>{share} of {name}</source>
            <translation>占 {name} 的 {share}</translation>
        </message>
        <message>
            <source>{size} · {count} slices</source>
            <translation>{size} · {count} 个切片</translation>
        </message>
        <message>
            <source>{table} (the table)</source>
            <translation>{table}（数据表）</translation>
        </message>
        <message>
            <source>{title}, {rows} rows deep</source>
            <translation>{title}，深 {rows} 行</translation>
        </message>
        <message>
            <source>{title}: {cards} cards, {nodes} tasks and micro batches</source>
            <translation>{title}：{cards} 张卡，{nodes} 个任务和微批次</translation>
        </message>
        <message>
            <source>{title}: {name}</source>
            <translation>{title}：{name}</translation>
        </message>
        <message>
            <source>Δ Blocks</source>
            <translation>Δ 块数</translation>
        </message>
        <message>
            <source>Δ Size</source>
            <translation>Δ 大小</translation>
        </message>
        <message>
            <source>Δ to A</source>
            <translation>与 A 的差</translation>
        </message>
        <message>
            <source>… {n} more: see Slice Detail</source>
            <translation>… 还有 {n} 条：见切片详情</translation>
        </message>
        <message>
            <source>… {n} more; copy as JSON to see all</source>
            <translation>… 另有 {n} 项；复制为 JSON 可查看全部</translation>
        </message>
        <message>
            <source>← from</source>
            <translation>← 来自</translation>
        </message>
        <message>
            <source>→ to</source>
            <translation>→ 去往</translation>
        </message>
    </context>
</TS>
