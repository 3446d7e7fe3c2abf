import CoreDataStore

/// The result of a list's fetch: the records in order, and the sections with their sizes.
struct SectionedRecords {
    var list = AddressList()
    /// Empty for a list without sections.
    var sections: [(name: String, count: Int)] = []

    init() {}

    /// Fetches the addresses of the records, without those in `others`, and the sections if `naming` is not nil.
    ///
    /// - Throws: what the fetch throws; `NSCoreDataError` if the records of one section do not follow each other.
    init(_ execution: FetchExecution, _ naming: SectionNaming?, leavingOut others: Set<RowKey>) throws {
        if let naming, others.isEmpty, let scan = try execution.sectionScan(of: naming.keyPath) {
            list = scan.addresses
            var runs = SectionRunList()
            for run in scan.runs { try runs.append(naming.name(ofValue: run.value), count: run.count) }
            sections = runs.runs
            return
        }
        var found = try execution.foundListOfMany()
        if !others.isEmpty {
            found = FoundList(
                list: AddressList(
                    found.list.addresses(0..<found.list.count).filter { !others.contains(RowKey($0)) }))
        }
        list = found.list
        guard let naming else { return }
        var runs = SectionRunList()
        let reader = BatchReader(context: execution.context, request: UntypedFetchRequest(), prefetch: nil)
        for start in stride(from: 0, to: list.count, by: RecordStream.recordsAtOnce) {
            let range = start..<min(start + RecordStream.recordsAtOnce, list.count)
            for object in reader.objects(found, range) { try runs.append(naming.name(of: object), count: 1) }
        }
        sections = runs.runs
    }
}

extension FetchExecution {
    /// The records and the values at the end of a path from the only store's scan; nil if the store alone cannot
    /// answer.
    fileprivate func sectionScan(of path: String) throws -> SectionScan? {
        guard let column = SectionColumn(path, from: layout) else { return nil }
        let changes = try pendingChanges()
        let answerers = try context.fetchDataSource.answerers(of: self)
        guard !needsMerging(changes, answerers) else { return nil }
        return try answerers[0].scan(column)
    }
}

/// The names of consecutive sections, with their sizes.
struct SectionRunList {
    private(set) var runs: [(name: String, count: Int)] = []
    private var names: Set<ExactText> = []
    private var count = 0

    /// Adds records of one section at the end.
    ///
    /// - Throws: `NSCoreDataError` if an earlier section, other than the last, has this name.
    mutating func append(_ name: String, count: Int) throws {
        defer { self.count += count }
        guard !(runs.last.map { TextComparison.areEqual($0.name, name) } ?? false) else {
            runs[runs.count - 1].count += count
            return
        }
        guard names.insert(ExactText(name)).inserted else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The fetched object at index \(self.count) has an out of order section name. Objects must be sorted by "
                    + "section name.",
                hint: "Let the first sort descriptor agree with the section key path, or set sortsBySectionsFirst.")
        }
        runs.append((name, count))
    }
}
