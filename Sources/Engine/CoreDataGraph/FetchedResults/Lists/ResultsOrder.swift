import CoreDataStore

/// The order of a list, and what its records are sorted by, read only on demand.
///
/// Records with equal keys are in the order of their primary keys, unsaved ones last.
struct ResultsOrder {
    /// How many records' keys are remembered: those that every search looks at, and their neighbours.
    private static let mostRemembered = 4_096
    /// How many records a step of a search looks at, all read with one question.
    private static let pivotsAtOnce = 7
    /// The same among the first records of chunks, which every later search looks at too.
    private static let startsAtOnce = 255

    private let context: NSManagedObjectContext
    private let reader: BatchReader
    private var order: RecordOrder
    /// The keys of rows; those of objects are read where they are.
    private var remembered: [RowKey: [SortKey]] = [:]

    init(_ request: UntypedFetchRequest, in context: NSManagedObjectContext) {
        self.context = context
        reader = BatchReader(context: context, request: UntypedFetchRequest(), prefetch: nil)
        order = RecordOrder(
            request.sortDescriptors ?? [], RowMaterializer(context: context, asFaults: true, refreshes: false))
    }

    /// What an object is sorted by.
    mutating func keys(of object: NSManagedObject) throws -> [SortKey] {
        var record = FoundRecord(object)
        return try order.keys(of: &record)
    }

    /// Releases what is known of a record's row.
    mutating func forget(_ place: RowKey) { remembered[place] = nil }

    /// Whether a record comes before another one.
    func isAscending(
        _ left: (keys: [SortKey], address: RowAddress), _ right: (keys: [SortKey], address: RowAddress)
    ) throws -> Bool {
        if try order.isAscending(left.keys, right.keys) { return true }
        if try order.isAscending(right.keys, left.keys) { return false }
        if left.address.binding.isTemporary != right.address.binding.isTemporary {
            return right.address.binding.isTemporary
        }
        return (left.address.binding.table, left.address.key) < (right.address.binding.table, right.address.key)
    }

    /// How many records of a list come before a record that is not in it; `guess` is looked at first.
    ///
    /// The first records of chunks are asked before others: they stay the same ones while records before them come and
    /// go, so that most of them are remembered.
    mutating func rank(
        of record: (keys: [SortKey], address: RowAddress), in list: ResultsList, guess: Int?
    ) throws -> Int {
        if let guess, try isPlace(guess, of: record, in: list) { return guess }
        let starts = list.chunkStarts
        let chunks = try countBefore(record, in: list, count: starts.count, atOnce: Self.startsAtOnce) { starts[$0] }
        guard chunks > 0 else { return 0 }
        let first = starts[chunks - 1] + 1
        let end = chunks < starts.count ? starts[chunks] : list.count
        return try first + countBefore(record, in: list, count: end - first, atOnce: Self.pivotsAtOnce) { first + $0 }
    }

    /// How many of some places, which ascend, have a record before another one.
    ///
    /// As long as the record in the middle is known, only that is looked at; otherwise many are, for one question.
    private mutating func countBefore(
        _ record: (keys: [SortKey], address: RowAddress), in list: ResultsList, count: Int, atOnce: Int,
        place: (Int) -> Int
    ) throws -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let address = list.address(at: place(middle))
            if let keys = try knownKeys(of: address) {
                let isBefore = try isAscending((keys, address), record)
                range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
            } else {
                range = try narrowed(range, record, in: list, atOnce: atOnce, place: place)
            }
        }
        return range.lowerBound
    }

    /// The part of a range in which a record's place is, by comparison with some of the records there.
    private mutating func narrowed(
        _ range: Range<Int>, _ record: (keys: [SortKey], address: RowAddress), in list: ResultsList, atOnce: Int,
        place: (Int) -> Int
    ) throws -> Range<Int> {
        let pivots = Self.pivots(range, atOnce: atOnce)
        let addresses = pivots.map { list.address(at: place($0)) }
        let keys = try self.keys(of: addresses)
        var (low, high) = (0, pivots.count)
        while low < high {
            let middle = (low + high) / 2
            if try isAscending((keys[middle], addresses[middle]), record) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        let start = low == 0 ? range.lowerBound : pivots[low - 1] + 1
        return start..<(low < pivots.count ? pivots[low] : range.upperBound)
    }

    /// Whether a record would stand at a place, as its neighbours are.
    private mutating func isPlace(
        _ place: Int, of record: (keys: [SortKey], address: RowAddress), in list: ResultsList
    ) throws -> Bool {
        guard place <= list.count else { return false }
        let neighbours = (place - 1...place).filter { (0..<list.count).contains($0) }
        let addresses = neighbours.map(list.address)
        let keys = try self.keys(of: addresses)
        for (number, index) in neighbours.enumerated() {
            let other = (keys: keys[number], address: addresses[number])
            guard try index < place ? isAscending(other, record) : isAscending(record, other) else { return false }
        }
        return true
    }

    private static func pivots(_ range: Range<Int>, atOnce: Int) -> [Int] {
        guard range.count > atOnce else { return Array(range) }
        return (1...atOnce).map { range.lowerBound + range.count * $0 / (atOnce + 1) }
    }

    // MARK: Reading

    /// What records are sorted by: as objects of the context have it, the others as their rows do.
    private mutating func keys(of addresses: [RowAddress]) throws -> [[SortKey]] {
        var found: [[SortKey]?] = try addresses.map { try knownKeys(of: $0) }
        let missing = addresses.indices.filter { found[$0] == nil }
        guard !missing.isEmpty else { return found.compactMap { $0 } }
        let rows = try reader.rows(of: missing.map { addresses[$0] })
        if remembered.count + missing.count > Self.mostRemembered { remembered.removeAll() }
        for index in missing {
            let address = context.localAddress(addresses[index])
            let place = RowKey(address)
            var record = FoundRecord(address, row: rows[place])
            let keys = try order.keys(of: &record)
            found[index] = keys
            // What had to be read of an object changes with the object.
            if record.object == nil { remembered[place] = keys }
        }
        return found.compactMap { $0 }
    }

    private mutating func knownKeys(of address: RowAddress) throws -> [SortKey]? {
        let address = context.localAddress(address)
        let place = RowKey(address)
        if let object = context.registry.object(table: place.table, key: place.key),
            !object.isFault || object.slab != nil
        {
            return try keys(of: object)
        }
        return remembered[place]
    }
}
