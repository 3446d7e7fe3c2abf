import Foundation
import LoopbackService
import MultipeerConnectivity
import Synchronization

/// A player at a terminal: connects in the way that was asked for, and plays until the opponent goes; with a page, then with the next one.
final class Player: NSObject, Sendable {
    static let service = "oz-tictactoe"

    private let arguments: Arguments
    private let records: GameRecords
    private let session: MCSession
    private let match: Match
    private let advertiser: MCNearbyServiceAdvertiser
    private let browser: MCNearbyServiceBrowser
    private let page = PageBox()
    private let found = AsyncStream.makeStream(of: Result<MCPeerID, any Error>.self)

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        records = try GameRecords(at: arguments.store)
        session = MCSession(peer: try MCPeerID(validating: arguments.name))
        session.maximumNumberOfPeers = 2
        let own = session.myPeerID
        advertiser = try MCNearbyServiceAdvertiser(validating: own, discoveryInfo: nil, serviceType: Self.service)
        browser = try MCNearbyServiceBrowser(validating: own, serviceType: Self.service)
        var options = Match.Options(player: arguments.isComputer ? ComputerPlayer(skill: .perfect) : nil)
        options.show = { [page] screen in
            page.page?.show(screen)
            Self.show(screen)
        }
        match = Match(session, options)
        if arguments.showsPage { page.page = GamePage { [match] in match.give($0) } }
        super.init()
        advertiser.delegate = self
        browser.delegate = self
    }

    /// The page, which needs the match, which shows itself on the page.
    private final class PageBox: Sendable {
        private let state = Mutex<GamePage?>(nil)
        var page: GamePage? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    func play() async throws {
        let listening = match.listen()
        defer { listening.cancel() }
        let server = try page.page.map { page in try HTTPServer { page.answer($0) } }
        defer { server?.stop() }
        if let server { print("page: \(server.url("/"))") }
        readSquares()
        guard let board = page.page else {
            return await match.run(keeping: records, isInviting: try await connect())
        }
        let rounds = Rounds(match: match, connect: { [self] in try await connect() }, show: { board.show($0) })
        try await rounds.play(keeping: records)
    }

    /// Connects; true if this side has invited.
    private func connect() async throws -> Bool {
        switch arguments.way {
        case .host(let port):
            print("port: \(try session.endpoint.listen(on: port))")
            advertiser.startAdvertisingPeer()
            return false
        case .join(let address):
            try await session.invite(at: [address], context: try records.offers())
            return true
        case .find:
            browser.startBrowsingForPeers()
            defer { browser.stopBrowsingForPeers() }
            for await result in found.stream {
                browser.invitePeer(try result.get(), to: session, withContext: try records.offers(), timeout: 30)
                break
            }
            return true
        }
    }

    /// Each line of the terminal with a number from 1 to 9 is a touch.
    private func readSquares() {
        guard !arguments.isComputer else { return }
        Thread.detachNewThread { [match] in
            while let line = readLine() {
                guard let number = Int(line), (1...9).contains(number) else { continue }
                match.give(.touch(999 + number))
            }
        }
    }

    private static func show(_ screen: Match.Screen) {
        var board = Board()
        for (index, piece) in screen.pieces.enumerated() { if let piece { _ = board.put(piece, on: 1_000 + index) } }
        print("\n\(board.text)\n\(screen.label)")
        if !screen.alert.isEmpty { print(screen.alert.prefix(2).joined(separator: ": ")) }
        if let note = screen.notes.last { print("(\(note))") }
    }
}

extension Player: MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
    func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?,
        invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) {
        let isFree = session.connectedPeers.isEmpty
        if isFree, let offer = GameRecords.offer(in: context, to: arguments.name) { match.give(.offered(offer)) }
        invitationHandler(isFree, session)
    }

    /// Without discovery the player is reached by address.
    func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
        print("(\(error))")
    }

    func browser(
        _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
    ) {
        found.continuation.yield(.success(peerID))
    }

    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}

    func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
        found.continuation.yield(.failure(error))
    }
}
