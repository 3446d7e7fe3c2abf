import Foundation
import LoopbackService
import MultipeerConnectivity
import Synchronization
import TestBasics
import TestBrowsers
import Testing

@testable import TicTacToeSample

/// The example's page in a real web browser.
@Suite(
    "TicTacToe on a page", .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"), .timeLimit(.minutes(3))
)
struct TicTacToePageTests {
    /// A player with a page, and the web browser that shows it as on a phone.
    private final class Side {
        let session: MCSession
        let page: WebPage
        let match: Match
        private let server: HTTPServer
        private let tasks: [Task<Void, any Error>]

        init(_ name: String, connect: @escaping @Sendable (MCSession) async throws -> Bool) async throws {
            let session = MCSession(peer: MCPeerID(displayName: name))
            let box = PageBox()
            var options = Match.Options()
            options.show = { box.page?.show($0) }
            let match = Match(session, options)
            let board = GamePage { match.give($0) }
            box.page = board
            let listening = match.listen()
            let rounds = Rounds(match: match, connect: { try await connect(session) }, show: { board.show($0) })
            tasks = [Task { try await rounds.play() }, Task { await listening.value }]
            server = try HTTPServer { board.answer($0) }
            page = try await WebDriver().open(width: 320, height: 640)
            (self.session, self.match) = (session, match)
            try await page.go(to: "\(server.url("/"))")
        }

        deinit {
            for task in tasks { task.cancel() }
            server.stop()
        }

        func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            do {
                try await page.wait(until: "document.body.innerText.includes(arguments[0])", [.string(text)])
            } catch {
                let shown = try await page.evaluate("return document.body.innerText").text ?? ""
                Issue.record("'\(text)' is not shown, but: \(shown)", sourceLocation: sourceLocation)
                throw error
            }
        }

        /// Whose turn it is.
        func isOwnTurn() async throws -> Bool {
            try await page.evaluate("return document.querySelector('[role=status]').innerText").text == "Your Turn"
        }
    }

    private final class PageBox: Sendable {
        private let state = Mutex<GamePage?>(nil)
        var page: GamePage? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    @Test("after a lost link the page says so, and New Game plays again, at the width of a phone (SAMPLE-14)")
    func newGameAfterALostLink() async throws {
        let port = Mutex<UInt16>(0)
        let host = try await Side("host") { session in
            session.endpoint.setInvitationHandler { [weak session] in $0.answer(true, session: session) }
            let own = try session.endpoint.listen()
            port.withLock { $0 = own }
            return false
        }
        await eventually("the host listens") { port.withLock { $0 } != 0 }
        let isReachable = Mutex(true)
        let guest = try await Side("guest") { session in
            guard isReachable.withLock({ $0 }) else { throw MCError(.unavailable, "the host is not there") }
            _ = try await session.invite(at: [PeerAddress(host: "127.0.0.1", port: port.withLock { $0 })])
            return true
        }
        try await guest.wait(for: "Against host")
        try await host.wait(for: "Against guest")
        for side in [host, guest] { try await side.wait(for: "Turn") }
        let first = try await host.isOwnTurn() ? host : guest
        try await first.page.click("button[value='1004']")
        try await (first === host ? guest : host).wait(for: "Your Turn")

        // Who leaves is not notified of it.
        host.session.disconnect()
        host.match.give(.left(isDeliberate: true))
        try await guest.wait(for: "Error Connecting: Unable to establish connection")
        #expect(try await guest.page.evaluate("return document.querySelectorAll('td').length").number == 9)
        if let place = ProcessInfo.processInfo.environment["OPENCOREDATA_PICTURES"] {
            try await guest.page.screenshot().write(to: URL(fileURLWithPath: place + "/tictactoe-lost.png"))
        }
        // As long as the other is not there, the page says so again.
        isReachable.withLock { $0 = false }
        try await guest.page.click("button.new")
        try await guest.page.wait(until: "document.querySelector('button.new')")
        isReachable.withLock { $0 = true }
        // By the keyboard: the button has the focus.
        try await guest.page.press(WebKey.enter)
        try await guest.wait(for: "Against host")
        for side in [host, guest] { try await side.wait(for: "Turn") }
        #expect(try await host.isOwnTurn() != (try await guest.isOwnTurn()))
        let wide = try await guest.page.evaluate("return document.documentElement.scrollWidth - innerWidth").number
        #expect((wide ?? 1) <= 0)
        if let place = ProcessInfo.processInfo.environment["OPENCOREDATA_PICTURES"] {
            try await guest.page.screenshot().write(to: URL(fileURLWithPath: place + "/tictactoe-again.png"))
        }
    }
}
