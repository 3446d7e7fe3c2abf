import CoreData

/// Repairs an atomic store (XML, binary): reads its file without the faulty records and atomically replaces the file.
struct WholeFileRepair {
    private let url: URL
    private let check: StoreCheck
    private let report: (StoreFinding) -> Void

    init(_ url: URL, check: StoreCheck, _ report: @escaping (StoreFinding) -> Void) {
        self.url = url
        self.check = check
        self.report = report
    }

    /// Writes the file again, then calls `report` with each repaired finding; returns how many findings were repaired.
    ///
    /// - Throws: `InspectionError`; the file is then unchanged.
    func run() throws -> Int {
        let facts = try StoreFacts(at: url)
        guard let model = try WholeFileStoreCheck.model(check, facts) else { return 0 }
        var repaired = facts.uuid == nil ? [WholeFileStoreCheck.missingIdentity] : []
        do {
            let reading = try WholeFileReading(facts, model: model, isReadOnly: false) { fault in
                if fault.remedy != nil { repaired.append(fault.finding) }
            }
            defer { reading.close() }
            try reading.write()
        } catch {
            throw InspectionError.unreadable(url, error)
        }
        repaired.forEach(report)
        return repaired.count
    }
}
