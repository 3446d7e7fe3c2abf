import CoreData
import CoreDataTracing
import CoreDataWorkbench
import StoreContract
import TestBasics
import Testing

/// Recording through the socket of a process; the process is the test's own.
@Suite(.serialized) struct ProcessRecordingTests {
    /// The folder that stands for `XDG_RUNTIME_DIR`, until the process ends.
    fileprivate static let runtime: String = {
        mkdir(path, 0o700)
        setenv("XDG_RUNTIME_DIR", path, 1)
        atexit { try? FileManager.default.removeItem(atPath: ProcessRecordingTests.path) }
        return path
    }()

    /// A socket's path has at most 107 bytes, so the folder of a test may be too deep.
    private static var path: String {
        let folder = FileManager.default.temporaryDirectory.path
        return (folder.utf8.count < 60 ? folder : "/tmp") + "/ocd-\(getpid())"
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test("a process that offers itself is listed and recorded through a socket for its owner alone (BRW-42)")
    func processIsRecorded() async throws {
        let folder = Self.runtime + "/opencoredata"
        try CoreDataInstruments.offer()
        #expect(try mode(folder) == 0o700 && mode(folder + "/\(getpid()).sock") == 0o600)
        #expect(try InstrumentedProcess.all().map(\.number) == [getpid()])
        #expect(!CoreDataInstruments.isRecording)
        let files = try TemporaryFolder()
        let file = files.url.appendingPathComponent("a.trace")
        let recording = try ProcessRecording(of: getpid(), into: file)
        await eventually("the recording begins") { CoreDataInstruments.isRecording }
        let stack = try Stack(RecordedProgram.model)
        stack.context.insert("Tag", ["name": "One"])
        try stack.context.save()
        _ = try stack.context.found("Tag")
        #expect(CoreDataInstruments.stopRecording() != nil)
        await eventually("the recording is over") { recording.isFinished }
        try recording.stop()
        let trace = try TraceReader.trace(at: file)
        #expect(trace.isComplete && trace.records.contains { trace.kind(of: $0) == .save })
        #expect(try mode(file.path) == 0o600)
    }

    @Test("a recording that is stopped is whole, and says nothing of an end that is missing (BRW-42)")
    func stoppedRecordingIsWhole() async throws {
        _ = Self.runtime
        try CoreDataInstruments.offer()
        let files = try TemporaryFolder()
        let file = files.url.appendingPathComponent("stopped.trace")
        let recording = try ProcessRecording(of: getpid(), into: file)
        await eventually("the recording begins") { CoreDataInstruments.isRecording }
        let stack = try Stack(RecordedProgram.model)
        stack.context.insert("Tag", ["name": "One"])
        try stack.context.save()
        try recording.stop()
        let trace = try TraceReader.trace(at: file)
        #expect(trace.isComplete && trace.notes.isEmpty, "\(trace.notes)")
        await eventually("the process records no more") { !CoreDataInstruments.isRecording }
    }

    @Test("a recording whose file cannot be written ends with the reason (BRW-42)")
    func failedWriteIsReported() async {
        await #expect(processExitsWith: .success) {
            _ = ProcessRecordingTests.runtime
            try CoreDataInstruments.offer()
            let files = try TemporaryFolder()
            // Files of this process cannot grow, as on a disk that is full.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 0, rlim_max: .max)
            setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
            let recording = try ProcessRecording(of: getpid(), into: files.url.appendingPathComponent("full.trace"))
            await eventually("the recording is over") { recording.isFinished }
            let error = #expect(throws: InspectionError.self) { try recording.stop() }
            #expect(error?.cause.hasPrefix("the trace cannot be written:") == true)
            #expect(error?.subject.hasSuffix("full.trace") == true && error?.hint != nil)
        }
    }

    @Test("a process that is recorded already says so, and one that is let go of records no more (BRW-42)")
    func secondReaderIsRefused() async throws {
        _ = Self.runtime
        try CoreDataInstruments.offer()
        let files = try TemporaryFolder()
        let first = try ProcessRecording(of: getpid(), into: files.url.appendingPathComponent("a.trace"))
        await eventually("the recording begins") { CoreDataInstruments.isRecording }
        let refused = files.url.appendingPathComponent("b.trace")
        let second = try ProcessRecording(of: getpid(), into: refused)
        await eventually("the refusal") { second.isFinished }
        let error = try #require(throws: InspectionError.self) { try TraceReader.trace(at: refused) }
        #expect(error.cause.contains("recorded already"))
        try first.stop()
        await eventually("the recording ends") { !CoreDataInstruments.isRecording }
    }

    @Test("a socket that an ended process has left is removed, and other files stay (BRW-42)")
    func abandonedSocketIsRemoved() throws {
        let folder = Self.runtime + "/opencoredata"
        try CoreDataInstruments.offer()
        // No process has the greatest number there is.
        let left = folder + "/\(Int32.max).sock"
        let other = folder + "/notes.txt"
        for path in [left, other] { #expect(FileManager.default.createFile(atPath: path, contents: Data())) }
        #expect(try !InstrumentedProcess.all().map(\.number).contains(Int32.max))
        #expect(!FileManager.default.fileExists(atPath: left) && FileManager.default.fileExists(atPath: other))
    }

    @Test("a process that offers nothing cannot be recorded, with what to do (BRW-42)")
    func silentProcessIsRefused() throws {
        _ = Self.runtime
        let files = try TemporaryFolder()
        let error = try #require(throws: InspectionError.self) {
            try ProcessRecording(of: Int32.max, into: files.url.appendingPathComponent("a.trace"))
        }
        #expect(error.hint?.contains("OPENCOREDATA_INSTRUMENTS=1") == true)
    }
}
