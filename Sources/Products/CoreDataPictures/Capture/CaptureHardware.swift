import Foundation

/// A camera or microphone as the program reaches it: the one thing that a system has to supply for capture.
///
/// All methods are called from one thread at a time, that of the session which uses the device.
public protocol CaptureHardware: AnyObject, Sendable {
    /// An identifier that stays when the device is connected again.
    var uniqueID: String { get }
    /// The name for people.
    var localizedName: String { get }
    /// What the device delivers.
    var mediaTypes: Set<AVMediaType> { get }
    /// Where a camera looks.
    var position: AVCaptureDevice.Position { get }
    /// The sizes and rates that a camera can be set to; at least one for a camera.
    var formats: [AVCaptureDevice.Format] { get }
    /// The modes of a light; only `off`, or none at all, where there is no light.
    var torchModes: Set<AVCaptureDevice.TorchMode> { get }
    /// The modes of focusing.
    var focusModes: Set<AVCaptureDevice.FocusMode> { get }

    /// Takes the device for one program at a time while its settings are changed.
    ///
    /// - Throws: ``AVError`` with `deviceLockedForConfigurationByAnotherProcess`.
    func lock() throws
    /// Ends what ``lock()`` began.
    func unlock()
    /// Applies settings; called once for all that were changed between a begin and a commit.
    ///
    /// - Throws: ``AVError`` if the device refuses them.
    func apply(_ settings: CaptureSettings) throws
    /// Begins or ends to deliver.
    ///
    /// - Throws: ``AVError`` if the device is not there any more.
    func setRunning(_ isRunning: Bool) throws
    /// Takes a photograph.
    ///
    /// - Returns: A file of the format.
    /// - Throws: ``AVError``.
    func photograph(_ settings: AVCapturePhotoSettings) throws -> Data
}

/// What a device is set to.
public struct CaptureSettings: Sendable, Hashable {
    /// The preset of the session.
    public var preset: AVCaptureSession.Preset
    /// The format, which counts where the preset is `inputPriority`.
    public var format: AVCaptureDevice.Format?
    /// The light.
    public var torchMode: AVCaptureDevice.TorchMode
    /// The focus.
    public var focusMode: AVCaptureDevice.FocusMode
}

/// Where devices are found, and whether they may be used.
public protocol CaptureHardwareSource: Sendable {
    /// The devices that are connected now.
    var hardware: [any CaptureHardware] { get }
    /// Whether the person allows a kind of device.
    func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus
    /// Asks the person, unless the answer is known.
    func requestAccess(for mediaType: AVMediaType) async -> Bool
}

/// A machine without cameras.
struct NoCaptureHardware: CaptureHardwareSource {
    var hardware: [any CaptureHardware] { [] }
    func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus { .notDetermined }
    func requestAccess(for mediaType: AVMediaType) async -> Bool { false }
}
