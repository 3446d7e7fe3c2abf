import CoreData

/// Reads trace files; see `TraceFormat`. A truncated file yields its complete blocks.
package struct TraceReader {
    private var process = Trace.Subject()
    private var records: [TraceRecord] = []
    private var texts: [String] = []
    private var stacks: [[UInt64]] = []
    private var models: [TraceModel] = []
    private var dropped = 0
    private var cachedFaults = 0
    private var isComplete = false
    private var notes: [String] = []

    /// The size in bytes of the largest trace file that is read; `trace(at:)` throws for larger files.
    private static let greatestFile = 4 << 30

    /// - Throws: `InspectionError` if the file is unreadable, too large, not a trace, or of another format version,
    ///   and if the process refused to record.
    package static func trace(at url: URL) throws -> Trace {
        let size = (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        guard size <= greatestFile else {
            throw InspectionError(
                .unreadable, subject: url.path, cause: "the trace has more than \(greatestFile >> 30) GiB",
                hint: "record for a shorter time")
        }
        let bytes: Data
        do { bytes = try Data(contentsOf: url) } catch { throw InspectionError.unreadable(url, error) }
        return try bytes.withUnsafeBytes { try trace(in: $0, of: url.path) }
    }

    /// Reads a trace from bytes in memory; error messages and the trace name `path`. Throws as `trace(at:)` does.
    package static func trace(in bytes: UnsafeRawBufferPointer, of path: String) throws -> Trace {
        try checkHeader(bytes, path)
        var reader = TraceReader()
        // Reserves once for all blocks: reserving for each block would copy the array with each block.
        reader.records.reserveCapacity(bytes.count / TraceRecord.size)
        try reader.read(bytes, path)
        let links = TraceLinks(reader.records)
        return Trace(
            path: path, process: reader.process, records: reader.records, parents: links.parents, order: links.order,
            models: reader.models, dropped: reader.dropped, cachedFaults: reader.cachedFaults,
            isComplete: reader.isComplete, notes: reader.notes, texts: reader.texts, stacks: reader.stacks)
    }

    private static func checkHeader(_ bytes: UnsafeRawBufferPointer, _ path: String) throws {
        guard bytes.count >= TraceFormat.headerSize, bytes.starts(with: TraceFormat.magic) else {
            throw InspectionError(
                .unreadable, subject: path, cause: "it is not a trace file",
                hint: "'coredata instruments PID --record FILE' and CoreDataInstruments.startRecording(to:) make one")
        }
        let version = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        guard version == TraceFormat.version else {
            throw InspectionError(
                .unreadable, subject: path,
                cause: "it is a trace of version \(version), and this program reads version \(TraceFormat.version)",
                hint: "read it with the 'coredata' of the library that wrote it")
        }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, _ path: String) throws {
        var place = TraceFormat.headerSize
        while place < bytes.count, !isComplete {
            guard bytes.count - place >= TraceFormat.blockHeaderSize else { return noteCut() }
            let kind = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
            let size = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)))
            place += TraceFormat.blockHeaderSize
            guard size <= TraceFormat.greatestBlock else {
                notes.append("A block at byte \(place) says that it has \(size) bytes; what follows is not read.")
                return
            }
            guard size <= bytes.count - place else { return noteCut() }
            let content = UnsafeRawBufferPointer(rebasing: bytes[place..<place + size])
            try read(kind, content: content, path: path)
            place += size
        }
        if !isComplete { noteCut() }
    }

    private mutating func noteCut() {
        notes.append("The recording is still going on, or was cut off: the events up to here are shown.")
    }

    private mutating func read(_ kind: UInt32, content: UnsafeRawBufferPointer, path: String) throws {
        switch TraceFormat.Block(rawValue: kind) {
        case .process: process = Trace.Subject(Data(content))
        case .texts: readTexts(content)
        case .stacks: readStacks(content)
        case .model: models.append(TraceModel(Data(content)))
        case .events: readEvents(content)
        case .counters: readCounters(content)
        case .end: isComplete = true
        case .refusal:
            throw InspectionError(
                .unreadable, subject: path, cause: PrintableText.escaped(String(decoding: content, as: UTF8.self)))
        case nil: notes.append("A block of the unknown kind \(kind) was passed over.")
        }
    }

    private mutating func readTexts(_ content: UnsafeRawBufferPointer) {
        var place = 0
        while content.count - place >= 4 {
            let size = Int(UInt32(littleEndian: content.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            place += 4
            guard size <= content.count - place else { return notes.append("A list of texts is damaged.") }
            texts.append(String(decoding: content[place..<place + size], as: UTF8.self))
            place += size
        }
    }

    private mutating func readStacks(_ content: UnsafeRawBufferPointer) {
        var place = 0
        while content.count - place >= 4 {
            let count = Int(UInt32(littleEndian: content.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            place += 4
            guard count <= (content.count - place) / 8 else { return notes.append("A list of call sites is damaged.") }
            stacks.append(
                (0..<count).map {
                    UInt64(littleEndian: content.loadUnaligned(fromByteOffset: place + $0 * 8, as: UInt64.self))
                })
            place += count * 8
        }
    }

    private mutating func readEvents(_ content: UnsafeRawBufferPointer) {
        let count = content.count / TraceRecord.size
        for index in 0..<count {
            let record = TraceRecord(content, at: index * TraceRecord.size)
            if InstrumentEvent.Kind(rawValue: record.kind) != nil { records.append(record) }
        }
        if content.count % TraceRecord.size != 0 { notes.append("A list of events is damaged.") }
    }

    private mutating func readCounters(_ content: UnsafeRawBufferPointer) {
        guard content.count >= 16 else { return notes.append("A list of counters is damaged.") }
        func number(_ offset: Int) -> Int {
            Int(clamping: UInt64(littleEndian: content.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        func sum(_ one: Int, _ other: Int) -> Int {
            let (sum, overflows) = one.addingReportingOverflow(other)
            return overflows ? .max : sum
        }
        dropped = sum(dropped, number(0))
        cachedFaults = sum(cachedFaults, number(8))
    }
}
