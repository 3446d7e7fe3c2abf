import Foundation
import PeerKit

/// Hands the streams of peers to the session.
enum StreamReceiver {
    static func receive(
        _ channel: IncomingChannel, _ description: ChannelDescription, _ peer: MCPeerID, _ core: SessionCore
    ) {
        let stream = ReceivedStream(input: PeerInputStream(channel))
        let name = description.plainName
        core.report(.stream(peer, name: name, stream)) {
            $0.session($1, didReceive: stream.input, withName: name, fromPeer: peer)
        }
    }
}
