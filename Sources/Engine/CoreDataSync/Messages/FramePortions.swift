/// How content is divided over frames, so that receivers take each of them.
extension SyncFrame {
    /// The size that a frame of several transactions does not exceed.
    package static let portionSize = 4 << 20
    /// How many transactions a frame has at most.
    private static let portionCount = 2_000
    /// The size that a transaction does not exceed unless one operation does.
    static let transactionSize = 32 << 20
    /// The size above which a value is not sent, with room for what a frame has beside it.
    static let greatestValueSize = 128 << 20
    /// How many operations a transaction has at most, so that the items of its frame are not too many.
    private static let operationCount = 500_000

    /// Transactions in the groups that go into one frame each.
    package static func portions(of transactions: [SyncTransaction]) -> [[SyncTransaction]] {
        var portions: [[SyncTransaction]] = []
        var size = 0
        for transaction in transactions {
            if let last = portions.last, last.count < portionCount, size + transaction.size <= portionSize {
                portions[portions.count - 1].append(transaction)
            } else {
                portions.append([transaction])
                size = 0
            }
            size += transaction.size
        }
        return portions
    }

    /// The operations of a save in the groups that are a transaction each; what creates objects is in the first.
    static func portions(of operations: [SyncOperation], size limit: Int) -> [[SyncOperation]] {
        let sizes = operations.map(\.size)
        guard operations.count > operationCount || sizes.reduce(0, +) > limit else { return [operations] }
        var portions: [[SyncOperation]] = [[]]
        var size = 0
        for operation in operations {
            if case .create = operation {
                portions[0].append(operation)
                size += operation.size
            }
        }
        for (operation, bytes) in zip(operations, sizes) {
            if case .create = operation { continue }
            if portions[portions.count - 1].count >= operationCount || size + bytes > limit {
                portions.append([])
                size = 0
            }
            portions[portions.count - 1].append(operation)
            size += bytes
        }
        return portions
    }
}

extension SyncOperation {
    /// About how many bytes the operation takes in a frame.
    fileprivate var size: Int {
        switch self {
        case .set(_, _, let value), .add(_, _, let value), .include(_, _, let value), .exclude(_, _, let value),
            .count(_, _, let value, _):
            24 + value.size
        case .link(let link):
            40 + 16 * ((link.sourcePosition?.steps.count ?? 0) + (link.targetPosition?.steps.count ?? 0))
        case .unknown(_, let bytes): 8 + bytes.count
        default: 32
        }
    }
}

extension SyncValue {
    /// About how many bytes the value takes in a frame.
    var size: Int {
        switch self {
        case .string(let text), .uri(let text): 4 + text.utf8.count
        case .data(let bytes), .unknown(_, let bytes): 4 + bytes.count
        case .array(let values): values.reduce(4) { $0 + $1.size }
        case .decimal: 48
        case .large(let value): 40 * (value.chunks.count + 1)
        default: 17
        }
    }
}
