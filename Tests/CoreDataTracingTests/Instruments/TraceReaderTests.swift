import CoreData
import CoreDataTracing
import CoreDataWorkbench
import StoreContract
import TestBasics
import Testing

/// Trace files: what is read of whole, damaged and foreign ones.
@Suite(.serialized) struct TraceReaderTests {
    private static let program = RecordedProgram("a reader's program") { stack in
        let books = try stack.context.found("Book") { $0.predicate = NSPredicate(format: "title == 'Secret'") }
        #expect(books.isEmpty)
        for book in try stack.context.found("Book", { $0.fetchLimit = 20 }) { _ = book.members("reviews") }
        stack.context.insert("Tag", ["name": "Hidden"])
        try stack.context.save()
    }

    /// The bytes of a small recording.
    private func bytes() throws -> [UInt8] {
        let written = try written()
        return try withExtendedLifetime(written) { Array(try Data(contentsOf: URL(fileURLWithPath: written.path))) }
    }

    private final class Written: Sendable {
        let path: String
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            let url = folder.url.appendingPathComponent("a.trace")
            path = url.path
            let stack = try Stack(RecordedProgram.model, url: folder.url.appendingPathComponent("Empty.sqlite"))
            for number in 0..<30 {
                let book = stack.context.insert("Book", ["title": "T\(number)", "code": number])
                stack.context.insert("Review", ["stars": 1, "book": book])
            }
            try stack.context.save()
            stack.context.reset()
            try CoreDataInstruments.startRecording(to: url)
            defer { CoreDataInstruments.stopRecording() }
            try TraceReaderTests.program.body(stack)
        }
    }

    private func written() throws -> Written { try Written() }

    private func read(_ bytes: [UInt8]) throws -> Trace {
        try bytes.withUnsafeBytes { try TraceReader.trace(in: $0, of: "a.trace") }
    }

    @Test("a recording has fetches, members, saves and statements with rows, plans and call sites (BRW-42, TOOL-20)")
    func recordingHasItsEvents() throws {
        let written = try written()
        let trace = try TraceReader.trace(at: URL(fileURLWithPath: written.path))
        #expect(trace.isComplete && trace.process.number == Int(getpid()))
        let kinds = Set(trace.records.compactMap(trace.kind))
        #expect(kinds.isSuperset(of: [.fetch, .members, .save, .statement]))
        let fetch = try #require(trace.records.first { trace.kind(of: $0) == .fetch })
        #expect(trace.text(fetch.detail) == "title == $v" && trace.text(fetch.entity) == "Book" && fetch.rows == 0)
        let save = try #require(trace.records.first { trace.kind(of: $0) == .save })
        #expect(save.inserted == 1 && save.unchanged == 0)
        let select = try #require(trace.records.first { trace.text($0.detail).contains("WHERE t0.ZTITLE") })
        #expect(trace.text(select.shape).contains("SCAN") && select.scanned >= 29)
        let index = try #require(trace.records.firstIndex(of: select))
        #expect(trace.records[trace.root(of: index)] == fetch, "a statement is part of its fetch")
        #expect(trace.records.allSatisfy { trace.stack($0.stack).count > 3 })
        #expect(trace.records.allSatisfy { $0.start >= trace.process.clock })
    }

    @Test("no value of an attribute or predicate is in a trace that did not ask for values (BRW-42)")
    func traceHasNoValues() throws {
        let bytes = try bytes()
        for value in ["Secret", "Hidden"] {
            #expect(Data(bytes).range(of: Data(value.utf8)) == nil)
        }
    }

    @Test("bound values are in a trace that asked for them (BRW-42)")
    func valuesAreRecordedOnRequest() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.trace")
        let stack = try Stack(RecordedProgram.model)
        try CoreDataInstruments.startRecording(to: url, includesValues: true)
        defer { CoreDataInstruments.stopRecording() }
        try Self.program.body(stack)
        CoreDataInstruments.stopRecording()
        let trace = try TraceReader.trace(at: url)
        #expect(trace.process.hasValues && trace.records.contains { trace.text($0.values).contains("Secret") })
    }

    @Test("a trace that is cut off anywhere yields what is whole, and says so (BRW-42)")
    func cutTraceIsReadAsFarAsItGoes() throws {
        let bytes = try bytes()
        let whole = try read(bytes).records.count
        for end in stride(from: TraceFormat.headerSize, to: bytes.count, by: max(1, bytes.count / 997)) {
            let trace = try read(Array(bytes[..<end]))
            #expect(!trace.isComplete && !trace.notes.isEmpty && trace.records.count <= whole)
            _ = TraceReport(trace, symbols: TraceSymbols()).json
        }
        #expect(throws: InspectionError.self) { try read(Array(bytes[..<10])) }
        #expect(throws: InspectionError.self) { try read([]) }
    }

    @Test("damaged bytes are read or refused, and never stop the process (BRW-42)")
    func damagedTraceDoesNotTrap() throws {
        let bytes = try bytes()
        let whole = try read(bytes)
        var random = SeededRandom(seed: TestSeed.first)
        var (refused, changed) = (0, 0)
        for _ in 0..<400 {
            var damaged = bytes
            for _ in 0..<1 + random.next(below: 20) {
                damaged[12 + random.next(below: damaged.count - 12)] = UInt8(random.next(below: 256))
            }
            let trace: Trace
            do { trace = try read(damaged) } catch {
                #expect(error is InspectionError, "seed \(TestSeed.first): \(error)")
                refused += 1
                continue
            }
            changed += trace.records != whole.records || !trace.isComplete ? 1 : 0
            let report = TraceReport(trace, symbols: TraceSymbols())
            _ = report.json
            _ = TraceTimeline(trace, report.selection, count: 100)
            TraceEventExport(trace).write(report.selection) { _ in }
        }
        // Otherwise the damage met nothing that is read, and the test says nothing.
        #expect(refused + changed > 200, "seed \(TestSeed.first): \(refused) and \(changed)")
    }

    @Test("a trace of another version and other files are refused with what to do (BRW-42)")
    func otherVersionIsRefused() throws {
        var bytes = try bytes()
        bytes[8] = 9
        let error = try #require(throws: InspectionError.self) { try read(bytes) }
        #expect(error.cause.contains("version 9") && error.hint?.contains("library that wrote it") == true)
        let other = try #require(throws: InspectionError.self) { try read(Array("SQLite format 3\0 and more".utf8)) }
        #expect(other.cause == "it is not a trace file")
    }

    @Test("events beyond what waits are dropped and counted (BRW-42)")
    func droppedEventsAreCounted() throws {
        let sink = BlockedSink()
        #expect(InstrumentRecorder.start(sink))
        let count = InstrumentRecorder.mostWaiting * 3
        for number in 0..<count { InstrumentRecorder.record(InstrumentEvent(.wait, since: UInt64(number))) }
        sink.open()
        let summary = try #require(InstrumentRecorder.stop())
        #expect(summary.events + summary.dropped == count && summary.dropped > 0)
        let trace = try read(sink.bytes)
        #expect(trace.records.count == summary.events && trace.dropped == summary.dropped && trace.isComplete)
    }

    @Test("one process has one recording at a time, and none after its end (BRW-42)")
    func secondRecordingIsRefused() throws {
        let folder = try TemporaryFolder()
        try CoreDataInstruments.startRecording(to: folder.url.appendingPathComponent("a.trace"))
        #expect(throws: NSError.self) {
            try CoreDataInstruments.startRecording(to: folder.url.appendingPathComponent("b.trace"))
        }
        #expect(CoreDataInstruments.isRecording)
        #expect(CoreDataInstruments.stopRecording() != nil && CoreDataInstruments.stopRecording() == nil)
        #expect(!CoreDataInstruments.isRecording)
        #expect(throws: NSError.self) {
            try CoreDataInstruments.startRecording(to: folder.url.appendingPathComponent("none/a.trace"))
        }
    }
}

/// A sink that takes nothing until it is opened.
private final class BlockedSink: TraceSink, @unchecked Sendable {
    private let condition = NSCondition()
    private var isOpen = false
    private var isStarted = false
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: [UInt8]) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        // The head is taken at once: it is written while the recording begins.
        while isStarted, !isOpen { condition.wait() }
        isStarted = true
        self.bytes += bytes
        return true
    }

    func open() {
        condition.lock()
        isOpen = true
        condition.broadcast()
        condition.unlock()
    }

    func close() {}
}
