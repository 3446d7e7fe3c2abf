import Foundation
import NetServices
import TestBasics
import TestServers
import Testing

@Suite("Listeners and streams by address", .timeLimit(.minutes(2)))
struct StreamListenerTests {
    private func connect(_ host: String, _ port: Int) throws -> (input: InputStream, output: OutputStream) {
        var (input, output): (InputStream?, OutputStream?)
        Stream.getStreamsToHost(withName: host, port: port, inputStream: &input, outputStream: &output)
        return (try #require(input), try #require(output))
    }

    @Test(
        "port 0 picks a port that IPv4, IPv6 and names lead to, and accept gives a stream pair (PEER-12)",
        arguments: ["127.0.0.1", "::1", "localhost"])
    func families(_ host: String) async throws {
        let accepted = Accepted()
        let listener = try StreamListener { accepted.add($0, $1) }
        #expect((1...65_535).contains(listener.port))
        let (input, output) = try connect(host, listener.port)
        input.open()
        output.open()
        #expect(output.write("ping") == 4)
        await eventually("the connection") { accepted.count == 1 }
        let other = try #require(accepted.first)
        other.input.open()
        other.output.open()
        #expect(other.input.text(4) == "ping")
        #expect(other.output.write("pong!") == 5)
        #expect(input.text(5) == "pong!")
        #expect(input.streamStatus == .open)
        output.close()
        #expect(other.input.text(1).isEmpty)
        #expect(other.input.streamStatus == .atEnd)
        #expect(other.output.write("still") == 5)
        #expect(input.text(5) == "still")
        for stream in [input, other.input] { stream.close() }
        other.output.close()
        #expect(input.streamStatus == .closed)
    }

    @Test("stopping frees the port and keeps connections; a port that is taken is an error (PEER-12)")
    func stopping() async throws {
        let accepted = Accepted()
        let listener = try StreamListener { accepted.add($0, $1) }
        let (input, output) = try connect("127.0.0.1", listener.port)
        input.open()
        output.open()
        await eventually("the connection") { accepted.count == 1 }
        let error = #expect(throws: NetServiceError.self) { try StreamListener(port: listener.port) { _, _ in } }
        #expect(error?.reason.contains("\(listener.port)") == true)
        listener.stop()
        listener.stop()
        let next = try StreamListener(port: listener.port) { _, _ in }
        #expect(next.port == listener.port)
        let other = try #require(accepted.first)
        other.output.open()
        #expect(other.output.write("kept") == 4)
        #expect(input.text(4) == "kept")
    }

    @Test("impossible ports are errors (PEER-12)", arguments: [-1, 65_536, Int.max])
    func ports(_ port: Int) throws {
        #expect(throws: NetServiceError.self) { try StreamListener(port: port) { _, _ in } }
        let (input, _) = try connect("localhost", port)
        input.open()
        var byte: UInt8 = 0
        #expect(input.read(&byte, maxLength: 1) == -1)
        #expect(input.streamStatus == .error)
        #expect(input.streamError is NetServiceError)
    }

    @Test("10 MB through a slow reader arrive whole by events, in partial writes (PEER-14)")
    func slowReader() async throws {
        var random = SeededRandom(seed: TestSeed.first)
        let words = (0..<(10 << 20) / 8).map { _ in random.next() }
        let data = words.withUnsafeBytes { Data($0) }
        let accepted = Accepted()
        let queue = DispatchQueue(label: "listener")
        let listener = try StreamListener(queue: queue) { accepted.add($0, $1) }
        let (_, output) = try connect("127.0.0.1", listener.port)
        let writer = StreamRecorder(writing: data)
        output.delegate = writer
        output.schedule(on: DispatchQueue(label: "writer"))
        output.open()
        await eventually("the connection") { accepted.count == 1 }
        let input = try #require(accepted.first).input
        let reader = StreamRecorder(rest: 0.001)
        input.delegate = reader
        input.schedule(on: DispatchQueue(label: "reader"))
        input.open()
        await eventually("all bytes written") { writer.isWritten }
        output.close()
        await eventually("the end") { reader.events.last == .endEncountered }
        #expect(reader.received == data)
        #expect(writer.writeCount > 1)
        #expect(writer.events.first == .openCompleted)
        #expect(reader.events.filter { $0 == .endEncountered }.count == 1)
        input.close()
    }

    @Test("a connection that is refused or reset is reported once (PEER-14)")
    func failures() async throws {
        let port = try FreePorts.find(1)[0]
        let (input, output) = try connect("127.0.0.1", port)
        let (reads, writes) = (StreamRecorder(), StreamRecorder())
        (input.delegate, output.delegate) = (reads, writes)
        input.schedule(on: DispatchQueue(label: "input"))
        output.schedule(on: DispatchQueue(label: "output"))
        input.open()
        output.open()
        await eventually("both errors") { reads.events == [.errorOccurred] && writes.events == [.errorOccurred] }
        #expect((input.streamError as? POSIXError)?.code == .ECONNREFUSED)
        #expect(output.write("x") == -1)
        #expect(input.read(UnsafeMutablePointer<UInt8>.allocate(capacity: 1), maxLength: 1) == -1)
        #expect(reads.events.count == 1 && writes.events.count == 1)

        let accepted = Accepted()
        let listener = try StreamListener { accepted.add($0, $1) }
        let (_, second) = try connect("127.0.0.1", listener.port)
        let recorder = StreamRecorder()
        second.delegate = recorder
        second.schedule(on: DispatchQueue(label: "second"))
        second.open()
        await eventually("the connection") { accepted.count == 1 }
        accepted.removeAll()
        await eventually("a write that fails") { second.write("lost") == -1 }
        #expect(second.write("lost") == -1)
        await eventually("the error") { recorder.events.last == .errorOccurred }
        #expect(recorder.events.filter { $0 == .errorOccurred }.count == 1)
        second.close()
    }

    @Test("events come on a run loop of another thread (PEER-12)")
    func runLoop() async throws {
        let accepted = Accepted()
        let listener = try StreamListener { accepted.add($0, $1) }
        let reader = StreamRecorder()
        let port = listener.port
        let thread = Thread {
            var input: InputStream?
            Stream.getStreamsToHost(withName: "::1", port: port, inputStream: &input, outputStream: nil)
            input?.delegate = reader
            input?.schedule(in: .current, forMode: .default)
            input?.open()
            while reader.events.last != .endEncountered, !Thread.current.isCancelled {
                RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.2))
            }
            input?.close()
        }
        thread.start()
        await eventually("the connection") { accepted.count == 1 }
        let output = try #require(accepted.first).output
        output.open()
        #expect(output.write("by the run loop") == 15)
        output.close()
        await eventually("the text") {
            reader.received == Data("by the run loop".utf8) && reader.events.last == .endEncountered
        }
        thread.cancel()
    }
}
