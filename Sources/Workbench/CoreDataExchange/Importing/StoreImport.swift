import CoreData

/// Imports objects from files into a store and validates them against the store's model.
///
/// If objects are refused, nothing is saved unless `passesOverRefused` is set.
///
/// If the store can roll back its writes, the objects are saved in portions within one transaction; for other stores
/// all objects are in memory before the one save. Links are made once all objects exist, so that cycles are allowed.
package struct StoreImport {
    /// Objects that come from elsewhere than files.
    struct Work {
        /// Passes each object to the closure, with the index in `ImportRequest.files` of the file named if it is refused.
        let records: ((ImportRecord, Int) throws -> Void) throws -> Void
        /// The object of the store that an address of elsewhere stands for; nil where a new one is to be made.
        let counterpart: ((String) throws -> ImportLedger.Place?)?
        /// Runs when all links are made, with the context of the store; the argument states whether it may save.
        let finish: (Bool) throws -> Void
    }

    /// Thrown to roll back the changes of an attempt that is not to be saved.
    private struct TakenBack: Error {}

    /// What the names of imports in the history begin with.
    private static let namePrefix = "import "

    /// A name for the context of another import.
    package static var newName: String { namePrefix + UUID().uuidString }

    /// Whether a context's name is that of an import: programs may begin names of their own alike.
    package static func isName(_ name: String) -> Bool {
        name.hasPrefix(namePrefix) && UUID(uuidString: String(name.dropFirst(namePrefix.count))) != nil
    }
    private static let portion = 500

    let request: ImportRequest
    private let work: Work?

    package init(_ request: ImportRequest) { self.init(request, nil) }

    var passesOverRefused: Bool { request.passesOverRefused || request.mapping?.failures == .skip }

    init(_ request: ImportRequest, _ work: Work?) {
        self.request = request
        self.work = work
    }

    /// Imports the objects; calls `refused` for each refused object, and `progress` at times with the bytes read.
    ///
    /// Objects that turn out to be refused when others refer to them already make the import start again without them.
    /// - Throws: `InspectionError` for a file that is not of its form, and if the store refuses the import.
    package func run(
        in store: OpenStore, refused: (RefusedRecord) throws -> Void, progress notify: (Int) -> Void = { _ in }
    ) throws -> ImportReport {
        if passesOverRefused, work == nil, request.files.contains(where: { $0.path == "-" }) {
            throw InspectionError(
                .badValue, subject: ImportFormat.name(of: "-"),
                cause: "an import that leaves out what is refused reads its files twice", hint: "put it into a file")
        }
        let plan = try request.mapping.map { try MappingPlan($0, store.coordinator.managedObjectModel) }
        if let size = request.batchSize, work == nil, request.mode == .save {
            return try runBatches(of: max(1, size), plan, in: store, refused: refused, progress: notify)
        }
        let name = store.context.name
        if work == nil, name == nil { store.context.name = Self.newName }
        defer { store.context.name = name }
        var known: Set<ImportProgress.Line> = []
        while true {
            let progress = try ImportProgress(store, request, counterpart: work?.counterpart)
            var report = ImportReport()
            var isRepeated = false
            let cancellation = ReadCancellation.current
            try store.context.performAndWait {
                isRepeated = try ReadCancellation.$current.withValue(cancellation) {
                    try attempt(progress, plan, without: known, notify)
                }
            }
            let before = known.count
            for refusal in progress.refusals where known.insert(refusal.place).inserted {
                try refused(
                    RefusedRecord(
                        file: ImportFormat.name(of: request.files[refusal.file].name),
                        line: ImportRecord.line(ofPosition: refusal.line),
                        record: ImportRecord.number(ofPosition: refusal.line), column: refusal.key.map(column),
                        reason: refusal.reason, answer: refusal.answer))
            }
            if isRepeated {
                // Objects that only the store has are refused with no record that could be left out.
                guard known.count > before else {
                    throw InspectionError(
                        .badValue, subject: store.facts.url.place,
                        cause: progress.refusals.last?.answer ?? "the import cannot be made")
                }
                continue
            }
            report.entities = progress.counts
            report.samples = progress.samples.list
            report.refused = known.count
            report.isSaved = request.mode == .save && (known.isEmpty || passesOverRefused)
            return report
        }
    }

    /// What a file has for a property.
    private func column(_ key: String) -> String {
        request.mapping?.source(of: key) ?? request.renames.first { $0.value == key }?.key ?? key
    }

    /// Makes one attempt to import, without the objects at the lines `known`, which an earlier attempt refused.
    ///
    /// - Returns: True if objects were refused to which others may refer, so that `run` must try again without them.
    private func attempt(
        _ progress: ImportProgress, _ plan: MappingPlan?, without known: Set<ImportProgress.Line>,
        _ notify: (Int) -> Void
    ) throws -> Bool {
        let store = progress.store
        store.context.allowsAbsentMembers = true
        var isRepeated = false
        let metadata = store.coordinator.metadata(for: store.store)
        defer {
            store.context.forgetHeldChanges()
            store.context.rollback()
            store.context.reset()
        }
        func work(_ portion: Int?) throws {
            try pass(progress, plan, without: known, portion: portion, notify: notify)
            let early = progress.refusals.count
            let links = LinkImport(progress, portion: portion)
            try links.run()
            try self.work?.finish(portion != nil)
            try links.check()
            let isLate = progress.refusals.count > early
            isRepeated = isLate && passesOverRefused
            if portion == nil, store.context.hasChanges, !isRepeated { try validate(store) }
            let isRefused = !progress.refusals.isEmpty && !passesOverRefused
            guard request.mode == .save, !isRefused, !isRepeated else { throw TakenBack() }
            guard known.isEmpty, progress.refusals.isEmpty else { return }
            let isChanged = progress.counts.values.contains(where: \.isChange)
            try remember(in: store, isChanged: isChanged, isSaved: portion != nil)
        }
        do {
            try store.store.serialized {
                guard try store.store.objects?.saveTogether({ try work(Self.portion) }) == nil else { return }
                try work(nil)
                if store.context.hasChanges || request.memory != nil { try store.context.save() }
            }
            store.context.announceHeldChanges()
        } catch is TakenBack {
            return isRepeated
        } catch {
            if request.memory != nil { store.coordinator.setMetadata(metadata, for: store.store) }
            throw named(error, store)
        }
        return false
    }

    /// Notes the versions of what was imported in the metadata.
    func remember(in store: OpenStore, isChanged: Bool, isSaved: Bool) throws {
        let present = store.coordinator.metadata(for: store.store)
        let name = isChanged ? store.context.name : nil
        guard let metadata = request.memory?.noting(request.files, by: name, in: present) else { return }
        store.coordinator.setMetadata(metadata, for: store.store)
        if isSaved { try store.context.save() }
    }

    private func named(_ error: any Error, _ store: OpenStore) -> any Error {
        error is InspectionError || error is CancellationError
            ? error : InspectionError.unreadable(store.facts.url, error)
    }

    private func validate(_ store: OpenStore) throws {
        do {
            store.context.allowsAbsentMembers = false
            try store.validate()
        } catch {
            throw SaveFailure(error, naming: { $0.objectID.shortText }).error(at: store.facts.url)
        }
    }

    func source(_ file: ImportFile, _ blocks: FileBlocks, _ plan: MappingPlan?) throws -> any ImportSource {
        guard let plan, let mapping = request.mapping else {
            return try file.source(blocks, as: request.format ?? file.format())
        }
        let format = try request.format ?? mapping.format ?? file.format()
        let items = try format.items(
            blocks, at: mapping.records.map(\.place), namespaces: mapping.namespaces, encoding: mapping.encoding,
            delimiter: mapping.delimiter)
        return MappedRecords(items, plan, url: file.name)
    }

    /// Reads the files and makes the objects.
    private func pass(
        _ progress: ImportProgress, _ plan: MappingPlan?, without known: Set<ImportProgress.Line>, portion: Int?,
        notify: (Int) -> Void
    ) throws {
        let objects = ObjectImport(progress, portion: portion)
        if let work {
            try work.records { record, file in
                guard known.isEmpty || !known.contains(ImportProgress.Line(file: file, line: record.position)) else {
                    return
                }
                try objects.take(record, file: file)
            }
            return try objects.flush()
        }
        var before = 0
        for (number, file) in request.files.enumerated() {
            let blocks = try file.blocks()
            let source = try source(file, blocks, plan)
            var numbers = RecordNumbers()
            while let record = try numbers.next(of: source) {
                try ReadCancellation.check()
                if known.isEmpty || !known.contains(ImportProgress.Line(file: number, line: record.position)) {
                    try objects.take(record, file: number)
                }
                if objects.count % 1000 == 0 { notify(before + blocks.position) }
            }
            before += blocks.position
        }
        try objects.flush()
        notify(before)
    }
}
