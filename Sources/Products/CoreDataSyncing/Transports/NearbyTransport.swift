import Foundation

/// A transport between devices that are near each other: people see them, and compare a code before two connect for the first time.
///
/// Nothing is visible on the network before ``start(port:)``. All methods may be called on any thread.
public protocol NearbyTransport: SyncTransport {
    /// The devices that are near, or were connected: by name.
    var devices: [NearbyDevice] { get }
    /// Why devices are not found; nil if nothing is wrong. They can connect by address even then.
    var discoveryFailure: SyncError? { get }
    /// Where others reach this device, as `HOST:PORT` and `[ADDRESS]:PORT`; empty before ``start(port:)``.
    var ownAddresses: [String] { get }
    /// Begins to be visible, to look for others of the group, and to connect with them.
    ///
    /// - Parameter port: Where to listen; 0 for any port that is free.
    /// - Throws: `SyncError` with the code `transport` if the port is taken.
    func start(port: UInt16) throws
    /// Is no longer visible, and leaves those it is connected with.
    func stop()
    /// Connects with a device of ``devices``, also one that was refused; the outcome is seen in its state.
    func connect(_ device: NearbyDevice.ID)
    /// Connects with the device that answers at an address, and waits for the outcome.
    ///
    /// - Parameter address: `HOST:PORT`, or `[ADDRESS]:PORT`.
    /// - Returns: The device.
    /// - Throws: `SyncError` with the code `transport` if the text is no address or nothing answers there, `pairing` if one of the two was
    ///   not admitted.
    @discardableResult func connect(to address: String) async throws -> NearbyDevice.ID
    /// Says whether the other device shows the same code; without effect unless the device's state is `comparing`.
    func answer(_ device: NearbyDevice.ID, isSameCode: Bool)
    /// Calls a block, on any thread, when one of the above has changed; nil ends that.
    func onChange(_ changed: (@Sendable () -> Void)?)
}

/// A device as people see it who may connect with it.
public struct NearbyDevice: Sendable, Hashable, Codable, Identifiable {
    /// How a device stands to this one.
    public enum State: String, Sendable, Hashable, Codable {
        /// It is seen on the network, and not connected.
        case visible
        /// One of the two has invited the other.
        case connecting
        /// People are to compare ``NearbyDevice/code`` on both devices.
        case comparing
        /// The two give each other what they lack.
        case connected
        /// It was not admitted, or has not admitted this one; ``NearbyDevice/problem`` says why.
        case refused
        /// Its connection ended, and it is not seen on the network.
        case lost
    }

    /// Names the device within a group: what it says of itself, until the two are connected.
    public let id: String
    /// What people call the device.
    public let name: String
    /// How it stands to this one.
    public package(set) var state: State
    /// The six digits that both devices must show; nil unless the state is `comparing`.
    public package(set) var code: String?
    /// Why the last connection ended or was not made, as a sentence; nil if nothing went wrong.
    public package(set) var problem: String?

    package init(id: String, name: String, state: State, code: String? = nil, problem: String? = nil) {
        (self.id, self.name, self.state, self.code, self.problem) = (id, name, state, code, problem)
    }
}
