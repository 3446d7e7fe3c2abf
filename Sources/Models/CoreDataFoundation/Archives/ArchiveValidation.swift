/// Validates that a recursive decoder can decode an archive: no cycles, bounded depth and size, listed classes only.
struct ArchiveValidation {
    /// The classes of Foundation's plain values, with the names that their archives use.
    static let foundationClasses: Set<String> = [
        "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSOrderedSet",
        "NSMutableOrderedSet", "NSString", "NSMutableString", "NSNumber", "NSDecimalNumber",
        "NSDecimalNumberPlaceholder",
        "NSDate", "NSData", "NSMutableData", "NSURL", "NSUUID", "NSNull",
    ]

    private let archive: KeyedArchive
    /// The names of the classes that the archive may contain; nil allows all classes.
    private let allowed: Set<String>?
    private let limits: PropertyListLimits
    /// The names of all classes that the archive contains.
    private(set) var classes = Set<String>()
    /// The names in `classes` that are not Foundation's plain value classes.
    var furtherClasses: Set<String> { classes.subtracting(Self.foundationClasses) }

    init(_ archive: KeyedArchive, allowing names: Set<String>?, limits: PropertyListLimits) throws {
        self.archive = archive
        allowed = names.map(Self.foundationClasses.union)
        self.limits = limits
        try walk()
    }

    private struct Frame {
        let object: Int
        let children: [Int]
        var next = 0
    }

    private mutating func walk() throws {
        var measures = [(depth: Int, size: Int)?](repeating: nil, count: archive.objects.count)
        var isOpen = [Bool](repeating: false, count: archive.objects.count)
        let roots = try archive.top.values.flatMap(references)
        var stack = [Frame(object: -1, children: roots)]
        while var frame = stack.popLast() {
            while frame.next < frame.children.count, measures[frame.children[frame.next]] != nil { frame.next += 1 }
            guard frame.next < frame.children.count else {
                let measure = try measured(frame, measures)
                guard frame.object >= 0 else { return }
                measures[frame.object] = measure
                isOpen[frame.object] = false
                continue
            }
            let child = frame.children[frame.next]
            guard !isOpen[child] else { throw ArchiveError(.cycle, "the archive contains itself") }
            guard stack.count <= limits.depth else { throw tooDeep }
            stack.append(frame)
            stack.append(Frame(object: child, children: try children(of: child)))
            isOpen[child] = true
        }
    }

    private var tooDeep: ArchiveError {
        ArchiveError(.limitExceeded, "the archive nests deeper than \(limits.depth)")
    }

    private func measured(_ frame: Frame, _ measures: [(depth: Int, size: Int)?]) throws -> (depth: Int, size: Int) {
        var depth = 0
        var size = 1
        for case let part? in frame.children.map({ measures[$0] }) {
            depth = max(depth, part.depth + 1)
            size += part.size
            guard size <= limits.expandedValues else {
                throw ArchiveError(.limitExceeded, "the archive expands to too many values")
            }
        }
        guard depth <= limits.depth else { throw tooDeep }
        return (depth, size)
    }

    /// Checks the class of an object and returns the indexes of the objects to which it refers.
    private mutating func children(of index: Int) throws -> [Int] {
        let value = archive.objects[index]
        guard let fields = value.dictionary else { return try references(value) }
        guard let object = archive.object(KeyedArchive.Reference(index: index)) else {
            throw ArchiveError(.malformed, "the archive has an object without a class")
        }
        guard allowed?.contains(object.className) ?? true else {
            throw ArchiveError(.unexpectedClass, "the archive holds an object of class '\(object.className)'")
        }
        classes.insert(object.className)
        return try fields.filter { $0.key != "$class" }.values.flatMap(references)
    }

    private func references(_ value: PropertyList) throws -> [Int] {
        switch value {
        case .uid(let index):
            guard archive.objects.indices.contains(index) else {
                throw ArchiveError(.malformed, "the archive refers to object \(index), which it does not have")
            }
            return index == 0 ? [] : [index]
        case .array(let values), .set(let values):
            return try values.flatMap { element in
                if case .uid = element { return try references(element) }
                return []
            }
        default: return []
        }
    }
}
