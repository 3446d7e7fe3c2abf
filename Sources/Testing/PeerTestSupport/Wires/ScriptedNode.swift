import Foundation
import LockKit
import PeerKit

/// A scripted network as one of its hosts sees it.
struct ScriptedNode: PeerNetwork {
    let host: String
    let network: ScriptedNetwork

    var hosts: [String]? { [host] }

    private struct Listener: WireListener {
        let port: UInt16
        let place: String
        let network: ScriptedNetwork
        func close() { network.state.withLock { $0.listeners[place] = nil } }
    }

    func listen(
        on port: UInt16, loop: EventLoop, settings: @escaping @Sendable () -> WireSettings,
        accept: @escaping @Sendable (any Wire) -> Void
    ) throws -> any WireListener {
        try network.state.withLock { state in
            var chosen = port
            if port == 0 {
                chosen = state.nextPort
                state.nextPort = state.nextPort == .max ? 10_000 : state.nextPort + 1
            }
            let place = "\(host):\(chosen)"
            guard state.listeners[place] == nil else {
                throw PeerFailure(
                    .system, "port \(chosen) cannot be listened on: it is taken", hint: "choose another port")
            }
            state.listeners[place] = ScriptedNetwork.Listening(loop: loop, settings: settings, accept: accept)
            return Listener(port: chosen, place: place, network: network)
        }
    }

    func wire(host: String, port: UInt16, loop: EventLoop, settings: WireSettings) -> any Wire {
        ScriptedWire(from: self.host, to: host, port: port, network: network, loop: loop, settings: settings)
    }
}
