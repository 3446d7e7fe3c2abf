import CoreDataAccounts
import CoreDataTransfer
import Foundation
import LoopbackService

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Shows a timeline in a terminal: that of a service in this process, or of a provider that a property list describes.
@main
struct Program {
    private static let usage = """
        usage: timeline FOLDER demo                      shows the timeline of a service of its own, once
               timeline FOLDER PROVIDER.plist URL        shows the messages at a URL, every fifteen seconds
               timeline FOLDER map URL LATITUDE LONGITUDE KILOMETERS
        FOLDER keeps messages, pictures and tokens; PROVIDER.plist is described in the guide to accounts.
        """

    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            guard words.count >= 2 else { throw Usage() }
            let folder = URL(fileURLWithPath: words[0])
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            switch (words[1], words.count) {
            case ("demo", 2): try await demo(folder)
            case ("map", 6): try await map(Array(words.dropFirst(2)))
            case (_, 3):
                guard let statuses = URL(string: words[2]) else { throw Usage() }
                let provider = try AccountProvider(propertyList: Data(contentsOf: URL(fileURLWithPath: words[1])))
                let list = try timeline(folder, provider, statuses) { print("Open \($0.absoluteString)") }
                list.appear()
                await list.waitUntilIdle()
                if let problem = list.problem { throw Complaint(description: problem) }
            default: throw Usage()
            }
        } catch {
            FileHandle.standardError.write(Data("timeline: \(error)\n".utf8))
            exit(1)
        }
    }

    /// A timeline that prints what it shows.
    @MainActor private static func timeline(
        _ folder: URL, _ provider: AccountProvider, _ statuses: URL,
        open: @escaping @Sendable (URL) async throws -> Void
    ) throws -> TimelineController {
        let account = TimelineAccount(
            provider: provider, store: AccountStore(folder: folder.appendingPathComponent("Accounts")), open: open)
        let list = TimelineController(
            try MessageStore(at: folder.appendingPathComponent("Timeline.sqlite")), account: account,
            statuses: statuses, avatars: try AvatarLoader(cachedIn: folder.appendingPathComponent("Pictures")))
        var (title, count) = ("", 0)
        list.onChange = { [weak list] in
            guard let list else { return }
            if list.title != title { print(list.title) }
            for row in list.rows.dropLast(min(count, list.rows.count)) { print("\(row.name): \(row.text)") }
            (title, count) = (list.title, list.rows.count)
        }
        return list
    }

    @MainActor private static func demo(_ folder: URL) async throws {
        let service = TimelineService()
        let server = try HTTPServer(answer: service.answer)
        defer { server.stop() }
        let base = "http://127.0.0.1:\(server.port)"
        service.write("Hello from San Francisco.", by: "Ann Archer", number: 1, at: base)
        service.write("It rains in Cologne.", by: "Ben Baker", number: 2, at: base)
        var provider = try AccountProvider(
            name: "demo", tokenEndpoint: server.url("/oauth/token"), clientID: "timeline",
            resources: [server.url("/")])
        provider.authorizationEndpoint = server.url("/oauth/authorize")
        // The browser of a user who agrees.
        let list = try timeline(folder, provider, server.url("/statuses/home_timeline.json")) { url in
            _ = try await TransferSession.shared.data(for: URLRequest(url: url))
        }
        list.appear()
        while list.title != TimelineController.title, list.problem == nil {
            try await Task.sleep(for: .milliseconds(10))
        }
        list.disappear()
        if let problem = list.problem { throw Complaint(description: problem) }
        try await map([server.url("/search.json").absoluteString, "37.785834", "-122.406417", "5"])
    }

    @MainActor private static func map(_ words: [String]) async throws {
        guard let url = URL(string: words[0]), let latitude = Double(words[1]), let longitude = Double(words[2]),
            let radius = Double(words[3])
        else { throw Usage() }
        let search = MapSearch(url)
        try await search.search(latitude: latitude, longitude: longitude, radius: radius)
        for pin in search.pins { print("\(pin.latitude), \(pin.longitude) \(pin.title): \(pin.subtitle)") }
    }

    private struct Usage: Error, CustomStringConvertible {
        var description: String { Program.usage }
    }

    private struct Complaint: Error, CustomStringConvertible { let description: String }
}
