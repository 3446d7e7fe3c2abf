import LockKit

/// What a session gets media from.
public class AVCaptureInput: @unchecked Sendable {
    /// The session that has it; guarded by the lock of ``CaptureMembership``.
    fileprivate weak var session: AVCaptureSession?
    init() {}
}

/// A device as an input.
public final class AVCaptureDeviceInput: AVCaptureInput, @unchecked Sendable {
    /// The device.
    public let device: AVCaptureDevice

    /// Makes an input of a device.
    ///
    /// - Throws: ``AVError`` with `applicationIsNotAuthorizedToUseDevice` if the person refused it.
    public init(device: AVCaptureDevice) throws {
        let kinds = device.hardware.mediaTypes
        let refused = kinds.map { AVCaptureDevice.authorizationStatus(for: $0) }.contains {
            $0 == .denied || $0 == .restricted
        }
        guard !refused else {
            throw AVError(
                .applicationIsNotAuthorizedToUseDevice, "the device '\(device.localizedName)' may not be used",
                hint: "ask the person to allow it")
        }
        self.device = device
    }
}

/// What a session gives media to.
public class AVCaptureOutput: @unchecked Sendable {
    fileprivate weak var session: AVCaptureSession?
    init() {}

    /// The session that has the output.
    var owner: AVCaptureSession? { CaptureMembership.session(of: self) }
}

/// Which sessions inputs and outputs are in: each is in one at most.
enum CaptureMembership {
    private static let lock = Locked(())

    static func session(of input: AVCaptureInput) -> AVCaptureSession? { lock.withLock { _ in input.session } }
    static func session(of output: AVCaptureOutput) -> AVCaptureSession? { lock.withLock { _ in output.session } }
    static func put(_ input: AVCaptureInput, in session: AVCaptureSession?) {
        lock.withLock { _ in input.session = session }
    }
    static func put(_ output: AVCaptureOutput, in session: AVCaptureSession?) {
        lock.withLock { _ in output.session = session }
    }
}
