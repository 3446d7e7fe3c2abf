import Foundation
import LockKit
import PeerKit

extension MCSession {
    /// Cuts all connections of the session as if the network had, for trials of what follows. They come back.
    public func cutConnections() {
        let links = core.state.withLock { $0.members.values.compactMap(\.link) }
        for link in links { link.connection.cut() }
    }
}

extension MCSession {
    /// The identifiers by which the connections of the session resume.
    package var linkIdentifiers: [UUID] {
        core.state.withLock { $0.members.values.compactMap(\.link?.connection.identifier) }
    }
}
