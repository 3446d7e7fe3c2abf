import CoreDataSyncing
import Foundation
import MultipeerConnectivity

/// The devices as people see them, made from what discovery and the session report, in any order.
///
/// Invariant: a device whose code is compared has an entry in `answers`, and no other has.
struct DeviceList {
    /// The most devices that are kept although they are no longer seen.
    private static let lostLimit = 64

    private var devices: [String: NearbyDevice] = [:]
    private var answers: [String: @Sendable (Bool) -> Void] = [:]
    private var visible: Set<String> = []

    /// By name, those of one name by identifier.
    var sorted: [NearbyDevice] { devices.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } }

    mutating func found(_ peer: MCPeerID) {
        visible.insert(peer.identifier)
        switch devices[peer.identifier]?.state {
        case nil, .lost, .refused: set(peer, .visible)
        case .visible, .connecting, .comparing, .connected: break
        }
    }

    mutating func vanished(_ peer: MCPeerID) {
        visible.remove(peer.identifier)
        if devices[peer.identifier]?.state == .visible { devices[peer.identifier] = nil }
    }

    /// A device asks to be admitted, or is asked.
    mutating func compare(_ peer: MCPeerID, _ code: String, _ answer: @escaping @Sendable (Bool) -> Void) {
        // Of two attempts at once the earlier one is void.
        answers.updateValue(answer, forKey: peer.identifier)?(false)
        set(peer, .comparing, code: code)
    }

    /// Takes out who waits for the answer of people.
    mutating func takeAnswer(_ id: String, isSameCode: Bool) -> (@Sendable (Bool) -> Void)? {
        guard let answer = answers.removeValue(forKey: id) else { return nil }
        devices[id]?.state = isSameCode ? .connecting : .refused
        devices[id]?.code = nil
        return answer
    }

    mutating func changed(_ peer: MCPeerID, _ state: MCSessionState, _ error: MCError?) {
        switch state {
        // What is compared is connecting, too.
        case .connecting: if answers[peer.identifier] == nil { set(peer, .connecting) }
        case .connected:
            answers[peer.identifier] = nil
            set(peer, .connected)
        case .notConnected: disconnected(peer, error)
        }
    }

    /// Forgets all; what waits for people is refused.
    mutating func removeAll() -> [@Sendable (Bool) -> Void] {
        defer { (devices, answers, visible) = ([:], [:], []) }
        return Array(answers.values)
    }

    private mutating func disconnected(_ peer: MCPeerID, _ error: MCError?) {
        let id = peer.identifier
        answers[id] = nil
        let isVisible = visible.contains(id)
        if let error, error.isLasting {
            set(peer, .refused, problem: error.reason)
        } else if isVisible || error != nil {
            set(peer, isVisible ? .visible : .lost, problem: error?.reason)
        } else {
            devices[id] = nil
        }
        let lost = devices.values.filter { !visible.contains($0.id) && [.lost, .refused].contains($0.state) }
        for device in lost.prefix(max(0, lost.count - Self.lostLimit)) where device.id != id {
            devices[device.id] = nil
        }
    }

    private mutating func set(
        _ peer: MCPeerID, _ state: NearbyDevice.State, code: String? = nil, problem: String? = nil
    ) {
        devices[peer.identifier] = NearbyDevice(
            id: peer.identifier, name: peer.displayName, state: state, code: code, problem: problem)
    }
}
