import Foundation
import UniformTypeIdentifiers

/// How a photograph is taken.
public struct AVCapturePhotoSettings: Sendable, Hashable {
    /// The type of the file: JPEG unless set otherwise.
    public var type: UTType
    /// The light during the photograph; `off` where the device has none.
    public var flashMode: AVCaptureDevice.TorchMode

    /// Makes settings.
    public init(type: UTType = .jpeg, flashMode: AVCaptureDevice.TorchMode = .off) {
        (self.type, self.flashMode) = (type, flashMode)
    }
}

/// A photograph that was taken.
public struct AVCapturePhoto: Sendable {
    private let data: Data
    /// The settings with which it was taken.
    public let settings: AVCapturePhotoSettings

    init(_ data: Data, _ settings: AVCapturePhotoSettings) { (self.data, self.settings) = (data, settings) }

    /// The bytes of a file.
    public func fileDataRepresentation() -> Data? { data }
}

/// An output that takes photographs.
public final class AVCapturePhotoOutput: AVCaptureOutput, @unchecked Sendable {
    private let queue = DispatchQueue(label: "CoreDataPictures.AVCapturePhotoOutput")

    /// Makes an output.
    public override init() { super.init() }

    /// Takes a photograph with the camera of the session; one after another, on a thread of its own.
    ///
    /// - Throws: ``AVError`` with `sessionNotRunning` for an output whose session does not run or has no camera, and errors of the device.
    public func capturePhoto(with settings: AVCapturePhotoSettings = AVCapturePhotoSettings()) async throws
        -> AVCapturePhoto
    {
        guard let session = owner, session.isRunning,
            let device = session.inputs.lazy.compactMap({ ($0 as? AVCaptureDeviceInput)?.device }).first(where: {
                $0.hasMediaType(.video)
            })
        else {
            throw AVError(
                .sessionNotRunning, "there is no running session with a camera",
                hint: "add an input for a camera and call startRunning() before")
        }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result { AVCapturePhoto(try device.hardware.photograph(settings), settings) })
            }
        }
    }
}
