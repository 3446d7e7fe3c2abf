import CoreData

extension StoreImport {
    /// Imports the records in batches, each of which is an import of its own: all of it or nothing. A refused record ends the import
    /// unless refused ones are passed over; what was committed before stays.
    func runBatches(
        of size: Int, _ plan: MappingPlan?, in store: OpenStore, refused: (RefusedRecord) throws -> Void,
        progress notify: (Int) -> Void
    ) throws -> ImportReport {
        var (report, before) = (ImportReport(), 0)
        for (number, file) in request.files.enumerated() {
            let blocks = try file.blocks()
            let source = try source(file, blocks, plan)
            var numbers = RecordNumbers()
            while true {
                let records = try batch(of: size, source, &numbers)
                guard !records.isEmpty else { break }
                let part = try commit(records, file: number, in: store, refused: refused)
                report.add(part)
                if part.isSaved, part.total.isChange { request.onCommit() }
                guard part.isSaved else { return report }
                notify(before + blocks.position)
            }
            before += blocks.position
        }
        if report.refused == 0 {
            let isChanged = report.total.isChange
            try store.context.performAndWait { try remember(in: store, isChanged: isChanged, isSaved: true) }
        }
        report.isSaved = true
        return report
    }

    private func batch(
        of size: Int, _ source: any ImportSource, _ numbers: inout RecordNumbers
    ) throws -> [ImportRecord] {
        // What another batch has made is looked for again: others may have changed it since.
        (source as? MappedRecords)?.forgetRelated()
        var records: [ImportRecord] = []
        while records.count < size, let record = try numbers.next(of: source) {
            try ReadCancellation.check()
            records.append(record)
        }
        return records
    }

    private func commit(
        _ records: [ImportRecord], file: Int, in store: OpenStore, refused: (RefusedRecord) throws -> Void
    ) throws -> ImportReport {
        var request = request
        (request.batchSize, request.memory) = (nil, nil)
        let work = Work(
            records: { take in
                for record in records {
                    try ReadCancellation.check()
                    try take(record, file)
                }
            }, counterpart: nil, finish: { _ in })
        return try StoreImport(request, work).run(in: store, refused: refused)
    }
}
