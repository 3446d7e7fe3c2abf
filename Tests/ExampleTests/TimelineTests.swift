import CoreData
import CoreDataAccounts
import CoreDataTransfer
import FoundationNetworking
import LoopbackService
import Synchronization
import TestBasics
import TestServers
import Testing

@testable import TimelineSample

/// The example Timeline: from the account to rows with pictures, again every fifteen seconds, and messages on a map.
@MainActor @Suite(.timeLimit(.minutes(5))) struct TimelineTests {
    /// Waits that end when the test says so.
    private final class Ticks: Sendable {
        private let waited = Mutex<[Duration]>([])
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream() }

        /// The waits that were begun.
        var times: [Duration] { waited.withLock { $0 } }

        func sleep(_ time: Duration) async throws {
            waited.withLock { $0.append(time) }
            for await _ in stream { break }
            try Task.checkCancellation()
        }

        func tick() { continuation.yield() }
    }

    /// A timeline with its service, on a server that counts.
    @MainActor private final class World {
        let folder: TemporaryFolder
        let service = TimelineService()
        let server: ScriptedServer
        let ticks = Ticks()
        let list: TimelineController
        let messages: MessageStore
        var titles: [String] = []

        init(agrees: Bool = true, answer: (@Sendable (HTTPRequest) -> HTTPResponse?)? = nil) throws {
            folder = try TemporaryFolder()
            let service = service
            server = try ScriptedServer { request, reply in
                let request = try #require(HTTPRequest(request))
                let response = answer?(request) ?? service.answer(request)
                try reply.respond(response.status, response.headers.map { "\($0): \($1)" }, body: response.body)
            }
            var provider = try AccountProvider(
                name: "test", tokenEndpoint: server.url("/oauth/token"), clientID: "timeline",
                resources: [server.url("/")])
            provider.authorizationEndpoint = server.url("/oauth/authorize")
            let account = TimelineAccount(
                provider: provider, store: AccountStore(folder: folder.url.appendingPathComponent("Accounts")),
                open: { url in
                    guard agrees else { return try await World.deny(url) }
                    _ = try await TransferSession.shared.data(for: URLRequest(url: url))
                })
            messages = try MessageStore(at: folder.url.appendingPathComponent("Timeline.sqlite"))
            list = TimelineController(
                messages, account: account, statuses: server.url("/statuses/home_timeline.json"),
                avatars: try AvatarLoader(cachedIn: folder.url.appendingPathComponent("Pictures")),
                sleep: { [ticks] in try await ticks.sleep($0) })
            list.onChange = { [weak self] in
                guard let self, titles.last != list.title else { return }
                titles.append(list.title)
            }
        }

        /// A user who does not agree.
        private static func deny(_ url: URL) async throws {
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
            func value(_ name: String) -> String { items.first { $0.name == name }?.value ?? "" }
            let text = "\(value("redirect_uri"))?error=access_denied&state=\(value("state"))"
            var options = TransferOptions()
            options.accepts = .all
            _ = try await TransferSession.shared.data(
                for: URLRequest(url: #require(URL(string: text))), options: options)
        }

        func write(_ text: String, by name: String, number: Int) {
            service.write(text, by: name, number: number, at: "http://127.0.0.1:\(server.port)")
        }

        /// Waits until so many waits between two loads have begun.
        func waits(_ count: Int) async {
            await eventually("\(count) waits", within: .seconds(200)) { ticks.times.count == count }
        }

        func requests(_ path: String) -> Int { server.requests.filter { $0.path.hasPrefix(path) }.count }

        func storedCount() throws -> Int {
            try messages.container.viewContext.count(for: NSFetchRequest<Message>(entityName: "Message"))
        }
    }

    @Test("the title goes from Authorizing… by Loading Tweets… to Timeline; rows have text and user.name (SAMPLE-19)")
    func titles() async throws {
        let world = try World()
        world.write("Hello.", by: "Ann Archer", number: 1)
        world.write("It rains.", by: "Ben Baker", number: 2)
        world.write("Still here.", by: "Ann Archer", number: 3)
        world.list.appear()
        await world.waits(1)
        #expect(world.titles == ["Authorizing…", "Loading Tweets…", "Timeline"])
        #expect(world.list.rows.map(\.text) == ["Still here.", "It rains.", "Hello."])
        #expect(world.list.rows.map(\.name) == ["Ann Archer", "Ben Baker", "Ann Archer"])
        #expect(world.list.pictures.count == 2 && world.requests("/avatars/") == 2)
        #expect(try world.messages.container.viewContext.count(for: NSFetchRequest<Author>(entityName: "Author")) == 2)
        #expect(world.list.problem == nil)
        world.list.disappear()
    }

    @Test("while it is visible it is loaded again every fifteen seconds, and each message stored once (SAMPLE-19)")
    func refreshing() async throws {
        let world = try World()
        world.write("One.", by: "Ann", number: 1)
        world.list.appear()
        await world.waits(1)
        world.write("Two.", by: "Ann", number: 2)
        for round in 2...3 {
            world.ticks.tick()
            await world.waits(round)
        }
        #expect(world.ticks.times == [.seconds(15), .seconds(15), .seconds(15)])
        #expect(world.requests("/statuses/") == 3 && world.list.rows.map(\.text) == ["Two.", "One."])
        #expect(try world.storedCount() == 2)
        #expect(world.titles == ["Authorizing…", "Loading Tweets…", "Timeline"])

        world.list.disappear()
        world.ticks.tick()
        await world.list.waitUntilIdle()
        for _ in 0..<20 { await Task.yield() }
        #expect(world.requests("/statuses/") == 3)

        // When it appears again, the account is known, and nothing that is there is stored once more.
        world.list.appear()
        await eventually("a fourth load", within: .seconds(200)) { world.ticks.times.count >= 4 }
        #expect(world.requests("/oauth/authorize") == 1 && world.requests("/statuses/") >= 4)
        #expect(try world.storedCount() == 2)
        world.list.disappear()
    }

    @Test("a token that was revoked is asked for again, and a service that is down leaves the rows (SAMPLE-19)")
    func troubles() async throws {
        let isDown = Atomic(false)
        let world = try World { request in
            isDown.load(ordering: .relaxed) && request.path.first == "statuses" ? .refusal(500, "out of order") : nil
        }
        world.write("One.", by: "Ann", number: 1)
        world.list.appear()
        await world.waits(1)
        world.service.revokeTokens()
        world.write("Two.", by: "Ann", number: 2)
        world.ticks.tick()
        await world.waits(2)
        #expect(world.requests("/oauth/authorize") == 2 && world.list.rows.count == 2 && world.list.problem == nil)
        #expect(world.titles.suffix(3) == ["Authorizing…", "Loading Tweets…", "Timeline"])
        isDown.store(true, ordering: .relaxed)
        world.ticks.tick()
        await world.waits(3)
        #expect(world.list.problem?.contains("500") == true && world.list.rows.count == 2)
        isDown.store(false, ordering: .relaxed)
        world.ticks.tick()
        await world.waits(4)
        #expect(world.list.problem == nil)
        world.list.disappear()
    }

    @Test("a user who does not agree sees why nothing is loaded (SAMPLE-19)") func denied() async throws {
        let world = try World(agrees: false)
        world.list.appear()
        await world.list.waitUntilIdle()
        #expect(world.titles == ["Authorizing…"] && world.list.rows.isEmpty)
        #expect(world.list.problem != nil && world.requests("/statuses/") == 0)
    }

    @Test("pictures of authors come at most three at a time, one for each, and later from the cache (SAMPLE-19)")
    func avatars() async throws {
        let service = TimelineService()
        let server = try ScriptedServer { request, reply in
            usleep(20_000)
            let response = service.answer(try #require(HTTPRequest(request)))
            try reply.respond(response.status, response.headers.map { "\($0): \($1)" }, body: response.body)
        }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let rows = (0..<24).map {
            TimelineRow(text: "\($0)", name: "", picture: server.url("/avatars/\($0 % 12).png"))
        }
        let broken = TimelineRow(text: "", name: "", picture: server.url("/missing.png"))
        let pictures = try await AvatarLoader(cachedIn: folder.url).pictures(of: rows + [broken])
        #expect(pictures.count == 12 && pictures[server.url("/missing.png")] == nil)
        #expect(server.requests.count == 13)
        #expect((2...3).contains(server.greatestAtWork))
        let again = try await AvatarLoader(cachedIn: folder.url).pictures(of: rows)
        #expect(again == pictures && server.requests.count == 13)
    }

    @Test("a map search asks by geocode; pins are its items, old ones are gone, the span is 0.1° (SAMPLE-19)")
    func map() async throws {
        let service = TimelineService(searches: [[(0.01, 0.01), (-0.02, 0)], [(0.03, -0.01)], []])
        let server = try ScriptedServer { request, reply in
            let response = service.answer(try #require(HTTPRequest(request)))
            try reply.respond(response.status, response.headers.map { "\($0): \($1)" }, body: response.body)
        }
        defer { server.stop() }
        let search = MapSearch(server.url("/search.json"))
        try await search.search(latitude: 37.785834, longitude: -122.406417, radius: 5)
        #expect(server.requests.last?.target == "/search.json?geocode=37.785834,-122.406417,5.000000km")
        #expect(search.pins.map(\.title) == ["user0", "user1"] && search.pins[0].subtitle == "I am here.")
        #expect(abs(search.pins[0].latitude - 37.795834) < 1e-9 && abs(search.pins[1].longitude + 122.406417) < 1e-9)
        #expect(search.region == MapSearch.Region(latitude: 37.785834, longitude: -122.406417))
        #expect(search.region?.latitudeSpan == 0.1 && search.region?.longitudeSpan == 0.1)
        try await search.search(latitude: 50.94, longitude: 6.96, radius: 2.5)
        #expect(server.requests.last?.target == "/search.json?geocode=50.940000,6.960000,2.500000km")
        #expect(search.pins.count == 1 && abs(search.pins[0].latitude - 50.97) < 1e-9)
        #expect(search.region?.latitude == 50.94)
        try await search.search(latitude: 0, longitude: 0, radius: 1)
        #expect(search.pins.isEmpty)
    }
}

extension HTTPRequest {
    /// A request of the scripted server as the services of examples take it.
    init?(_ request: ScriptedServer.Request) {
        var head = "\(request.method) \(request.target) HTTP/1.1\r\n"
        for (name, value) in request.fields { head += "\(name): \(value)\r\n" }
        var pieces = [Data((head + "\r\n").utf8) + request.body]
        self.init { pieces.popLast() ?? Data() }
    }
}
