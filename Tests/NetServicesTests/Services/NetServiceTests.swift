import Foundation
import NetServices
import TestBasics
import TestServers
import Testing

@Suite(
    "NetService", .serialized, .enabled(if: DiscoveryServer.isAvailable, "\(DiscoveryServer.missing)"),
    .timeLimit(.minutes(3)))
struct NetServiceTests {
    private let server: DiscoveryServer
    private let queue = DispatchQueue(label: "delegates")
    private let type = "_n\(UUID().uuidString.lowercased().filter(\.isHexDigit).prefix(12))._tcp"

    init() throws { server = try DiscoveryServer.shared.get() }

    private func service(_ name: String, port: Int32 = 4711) -> (service: NetService, delegate: ServiceRecorder) {
        let (service, delegate) = (NetService(domain: "", type: type, name: name, port: port), ServiceRecorder())
        service.schedule(on: queue)
        service.delegate = delegate
        return (service, delegate)
    }

    private func browser() -> (browser: NetServiceBrowser, delegate: ServiceRecorder) {
        let (browser, delegate) = (NetServiceBrowser(), ServiceRecorder())
        browser.schedule(on: queue)
        browser.delegate = delegate
        return (browser, delegate)
    }

    @Test("a service is published, stopped and published again, and browsers follow (PEER-15)")
    func publishing() async throws {
        let (browser, found) = browser()
        browser.searchForServices(ofType: type, inDomain: "local.")
        let (service, delegate) = service("Table")
        service.publish()
        await eventually("the announcement") { delegate.words == ["will publish", "published Table"] }
        await eventually("the discovery") { found.words == ["will search", "+Table"] }
        #expect(try server.browse(type).contains { $0.hasPrefix("=;lo;IPv4;Table;") })
        service.stop()
        service.stop()
        await eventually("the removal") { found.words.last == "-Table" && delegate.words.last == "stopped" }
        service.publish()
        await eventually("the second announcement") {
            delegate.words.last == "published Table" && found.words.last == "+Table"
        }
        service.publish()
        await eventually("the refusal") { delegate.words.last == "not published -72003 10" }
        browser.stop()
        service.stop()
        await eventually("both ends") { found.words.last == "search stopped" && delegate.words.last == "stopped" }
        #expect(delegate.words.filter { $0 == "stopped" }.count == 2)
    }

    @Test("a name that is taken is changed, or an error with domain and code if it must stay (PEER-15)")
    func collisions() async throws {
        let (first, firstDelegate) = service("Same")
        first.publish()
        await eventually("the first") { firstDelegate.words.last == "published Same" }
        let (second, secondDelegate) = service("Same", port: 4712)
        second.publish()
        await eventually("the second") { secondDelegate.words.last == "published Same #2" }
        #expect(second.name == "Same #2")
        let (third, thirdDelegate) = service("Same", port: 4713)
        third.publish(options: .noAutoRename)
        await eventually("the third") { thirdDelegate.words.last == "not published -72001 10" }
        #expect(third.lastError?.code == .collisionError)
        for service in [first, second, third] { service.stop() }
    }

    @Test(
        "arguments that break the rules are errors with domain and code (PEER-02, PEER-15)",
        arguments: [
            ("_UPPER._tcp", "Name", 1), ("_sixteen-letters-x._tcp", "Name", 1),
            ("_http._tcp", String(repeating: "n", count: 64), 1),
            ("_http._tcp", "Name", 0), ("_http._tcp", "Name", 65_536), ("http", "Name", 1),
        ] as [(String, String, Int32)])
    func badArguments(_ type: String, _ name: String, _ port: Int32) async {
        let (service, delegate) = (NetService(domain: "", type: type, name: name, port: port), ServiceRecorder())
        service.schedule(on: queue)
        service.delegate = delegate
        service.publish()
        await eventually("the error") { delegate.words == ["will publish", "not published -72004 10"] }
        #expect(service.lastError?.hint.isEmpty == false)
    }

    @Test(
        "a service that listens by itself is found, resolved and connected to, and hands streams out (PEER-12, PEER-15)"
    )
    func listening() async throws {
        let (service, delegate) = service("Board", port: 0)
        service.setTXTRecord(try NetService.textRecord([("turn", Data("X".utf8)), ("a", Data("1".utf8))]))
        service.publish(options: .listenForConnections)
        await eventually("the announcement") { delegate.words.last == "published Board" }
        #expect(service.port > 0)
        let (browser, found) = browser()
        browser.searchForServices(ofType: type + ".", inDomain: "")
        await eventually("the discovery") { found.services.count == 1 }
        let remote = found.services[0]
        let resolved = ServiceRecorder()
        remote.delegate = resolved
        remote.resolve(withTimeout: 20)
        await eventually("the address") { resolved.words.starts(with: ["will resolve", "resolved"]) }
        #expect(remote.port == service.port)
        #expect(remote.hostName == "discovery-test.local.")
        #expect(remote.addresses?.isEmpty == false)
        #expect(remote.txtRecordData() == service.txtRecordData())

        var (input, output): (InputStream?, OutputStream?)
        #expect(remote.getInputStream(&input, outputStream: &output))
        let reading = try #require(input)
        let writing = try #require(output)
        reading.open()
        writing.open()
        #expect(writing.write("move 5") == 6)
        await eventually("the connection") { delegate.connections.count == 1 }
        let (otherInput, otherOutput) = delegate.connections[0]
        otherInput.open()
        otherOutput.open()
        #expect(otherInput.text(6) == "move 5")
        #expect(otherOutput.write("ok") == 2)
        #expect(reading.text(2) == "ok")
        let port = service.port
        service.stop()
        await eventually("the stop") { delegate.words.last == "stopped" }
        _ = try StreamListener(port: port) { _, _ in }
        remote.stop()
        browser.stop()
    }

    @Test("streams to a service that is not resolved yet find it when they are opened")
    func unresolvedStreams() async throws {
        let (service, delegate) = service("Lazy", port: 0)
        service.publish(options: .listenForConnections)
        await eventually("the announcement") { delegate.words.last == "published Lazy" }
        let remote = NetService(domain: "local.", type: type, name: "Lazy")
        var output: OutputStream?
        #expect(remote.getInputStream(nil, outputStream: &output))
        let writing = try #require(output)
        writing.open()
        #expect(writing.write("x") == 1)
        #expect(!service.getInputStream(nil, outputStream: &output))
        service.stop()
    }

    @Test("resolving ends with its time: with an error if nothing was found (PEER-15)")
    func resolvingTimes() async throws {
        let absent = NetService(domain: "local.", type: type, name: "Absent")
        let delegate = ServiceRecorder()
        absent.schedule(on: queue)
        absent.delegate = delegate
        absent.resolve(withTimeout: 0.3)
        await eventually("the error") { delegate.words == ["will resolve", "not resolved -72007 10"] }

        let (service, published) = service("Here")
        service.publish()
        await eventually("the announcement") { published.words.last == "published Here" }
        let present = NetService(domain: "local.", type: type, name: "Here")
        let found = ServiceRecorder()
        present.schedule(on: queue)
        present.delegate = found
        present.resolve(withTimeout: 1)
        present.resolve(withTimeout: 1)
        await eventually("the end") { found.words.last == "stopped" }
        #expect(found.words.filter { $0 == "not resolved -72003 10" }.count == 1)
        #expect(found.words.contains("resolved"))
        service.stop()
    }

    @Test("a monitored TXT record is reported when it changes")
    func monitoring() async throws {
        let (service, published) = service("Text")
        service.setTXTRecord(NetService.data(fromTXTRecord: ["state": Data("waiting".utf8)]))
        service.publish()
        await eventually("the announcement") { published.words.last == "published Text" }
        let remote = NetService(domain: "", type: type, name: "Text")
        let delegate = ServiceRecorder()
        remote.schedule(on: queue)
        remote.delegate = delegate
        remote.startMonitoring()
        await eventually("the first") { delegate.words == ["text state=waiting"] }
        #expect(service.setTXTRecord(NetService.data(fromTXTRecord: ["state": Data("playing".utf8)])))
        await eventually("the second") { delegate.words == ["text state=waiting", "text state=playing"] }
        remote.stopMonitoring()
        service.stop()
    }

    @Test("a browser that the program lets go of lives until it has stopped, and no longer (PEER-15)")
    func browserLife() async throws {
        weak var observed: NetServiceBrowser?
        let delegate = ServiceRecorder()
        do {
            let browser = NetServiceBrowser()
            browser.schedule(on: queue)
            browser.delegate = delegate
            browser.searchForServices(ofType: type, inDomain: "")
            observed = browser
        }
        let (service, _) = service("Late")
        service.publish()
        await eventually("the discovery") { delegate.words.last == "+Late" }
        observed?.stop()
        await eventually("the end") { delegate.words.last == "search stopped" }
        await eventually("the release") { observed == nil }
        service.stop()
    }

    @Test("calls come on the run loop of the thread that made the objects (PEER-15)")
    func runLoops() async throws {
        let (found, published) = (ServiceRecorder(), ServiceRecorder())
        let type = type
        let thread = Thread {
            let browser = NetServiceBrowser()
            browser.delegate = found
            browser.searchForServices(ofType: type, inDomain: "")
            let service = NetService(domain: "", type: type, name: "Loop", port: 4711)
            service.delegate = published
            service.publish()
            while !Thread.current.isCancelled { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.1)) }
            browser.stop()
            service.stop()
            RunLoop.current.run(until: Date(timeIntervalSinceNow: 1))
        }
        thread.start()
        await eventually("the discovery") { found.words.last == "+Loop" && published.words.last == "published Loop" }
        thread.cancel()
        await eventually("the ends") { found.words.last == "search stopped" && published.words.last == "stopped" }
    }

    @Test("domains are found, and a search in a bad type or a second one is refused (PEER-15)")
    func searches() async throws {
        let (domains, found) = browser()
        domains.searchForBrowsableDomains()
        await eventually("the domain") { found.words == ["will search", "+local."] }
        domains.searchForRegistrationDomains()
        await eventually("the refusal") { found.words.last == "not searched -72003 10" }
        domains.stop()
        await eventually("the end") { found.words.last == "search stopped" }
        let (bad, refused) = browser()
        bad.searchForServices(ofType: "_Nineteen-Letters-XY._tcp", inDomain: "")
        await eventually("the refusal") { refused.words == ["will search", "not searched -72004 10"] }
        #expect(bad.lastError?.reason.contains("Nineteen") == true)
    }
}
