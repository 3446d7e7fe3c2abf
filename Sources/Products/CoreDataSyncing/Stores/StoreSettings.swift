import CoreDataStore
import CoreDataSync

/// How a store takes part: by the options of the program, and by what the store itself keeps of them for all programs.
final class StoreSettings {
    let validator: MergeValidator?
    private let options: SyncOptions
    private let mapping: ModelMapping
    private let base: SyncConfiguration
    /// The filter of the part that the options name.
    private let given: PartFilter?
    /// The filter of the part that the store keeps, with its bytes.
    private var kept: (bytes: [UInt8], filter: PartFilter)?

    /// - Throws: `SyncError` with the code `model` for merge functions that are missing, and for a part that does not fit the model.
    init(_ options: SyncOptions, _ mapping: ModelMapping) throws {
        self.options = options
        self.mapping = mapping
        if !options.isForInspection { try options.checkFunctions(mapping.schema) }
        try options.largeValues?.check(mapping)
        given = try options.part.map { try PartFilter($0, mapping) }
        validator = options.validate.map { MergeValidator($0) }
        var base = SyncConfiguration(schema: mapping.schema)
        base.silenceLimit = UInt64(max(60, options.silenceLimit) * 1_000)
        base.functions = options.engineFunctions
        base.digest = { ChunkDigest.sha256(of: $0) }
        base.leavesFrames = true
        base.partSize = options.partSize ?? base.partSize
        if let size = options.greatestValueSize { base.greatestValueSize = size }
        if let validator { base.validate = { validator.validate($0) } }
        self.base = base
    }

    /// Refuses to exchange what a session for inspection could not merge.
    func checkFunctions() throws { try options.checkFunctions(mapping.schema) }

    func configuration(_ side: any SideTableKeeping) throws -> SyncConfiguration {
        var configuration = base
        let isReader = try options.isReader || side.sideValue(for: AdapterKey.reader) != nil
        configuration.role = isReader ? .reader : .writer
        let largeValues = try options.largeValues ?? SyncLargeValues(bytes: side.sideValue(for: AdapterKey.largeValues))
        if largeValues != .atOnce {
            let onDemand = largeValues.attributes(mapping)
            configuration.isOnDemand = { onDemand.contains($0) }
        }
        if let filter = try given ?? keptFilter(side) { configuration.isInPart = { filter.contains($0) } }
        return configuration
    }

    private func keptFilter(_ side: any SideTableKeeping) throws -> PartFilter? {
        guard let bytes = try side.sideValue(for: AdapterKey.part) else { return nil }
        if let kept, kept.bytes == bytes { return kept.filter }
        let filter = try PartFilter(SyncPart(bytes: bytes), mapping)
        kept = (bytes, filter)
        return filter
    }

    /// Notes in the store that it only receives, and when it gets large values.
    func keepRole(_ transaction: StoreTransaction) throws {
        if let bytes = options.largeValues?.bytes {
            let known = try transaction.side.sideValue(for: AdapterKey.largeValues)
            if known ?? [] != bytes { transaction.note(AdapterKey.largeValues, bytes.isEmpty ? nil : bytes) }
        }
        guard options.isReader, try transaction.side.sideValue(for: AdapterKey.reader) == nil else { return }
        transaction.note(AdapterKey.reader, [1])
    }

    /// Shows the part that the options name, if it is another than the one that the store keeps.
    func keepPart(_ transaction: StoreTransaction) throws {
        guard let part = options.part else { return }
        let bytes = part.bytes
        guard try transaction.side.sideValue(for: AdapterKey.part) ?? [] != bytes else { return }
        try transaction.handle(.partChanged)
        transaction.note(AdapterKey.part, bytes.isEmpty ? nil : bytes)
    }
}
