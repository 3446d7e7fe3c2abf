import CoreDataStore

/// The sort order of a list. Reads the sort keys of records when they are compared.
///
/// Records with equal sort keys are in the order of their primary keys, unsaved ones last.
struct ResultsOrder {
    /// The greatest number of cached records: those that every search compares, and their neighbors.
    private static let mostRemembered = 4_096
    /// How many records a step of a search reads with one query to compare them.
    private static let pivotsAtOnce = 7
    /// The same for the first records of chunks, which later searches compare too.
    private static let startsAtOnce = 255

    private let context: NSManagedObjectContext
    private let reader: BatchReader
    private var order: RecordOrder
    /// The sort keys of records without a loaded object; those of objects are read from the objects.
    private var remembered: [RowKey: [SortKey]] = [:]

    init(_ request: UntypedFetchRequest, in context: NSManagedObjectContext) {
        self.context = context
        reader = BatchReader(context: context, request: UntypedFetchRequest(), prefetch: nil)
        order = RecordOrder(
            request.sortDescriptors ?? [], RowMaterializer(context: context, asFaults: true, refreshes: false))
    }

    /// The sort keys of an object.
    mutating func keys(of object: NSManagedObject) throws -> [SortKey] {
        var record = FoundRecord(object)
        return try order.keys(of: &record)
    }

    /// Drops the cached sort keys of a record.
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

    /// The number of records of a list before a record that is not in it; compares at the index `guess` first.
    ///
    /// Then compares the first records of chunks: they stay the same while records before them are inserted and
    /// removed, so that the keys of most of them are cached.
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

    /// The number of records, among those at some ascending indices, that come before another record.
    ///
    /// Compares the record in the middle if its keys are known; otherwise reads the keys of several records with one
    /// query.
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

    /// Reads and compares some records of a range; returns the part of the range in which the record's place is.
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

    /// Whether a record at an index would be in order with its neighbors.
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

    /// The sort keys of records: from the loaded objects of the context, for other records from their rows.
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
            // The keys of an object are not cached, since they change with the object.
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
