import LockKit

extension AVCaptureDevice {
    private static let chosen = Locked<any CaptureHardwareSource>(NoCaptureHardware())

    /// Where devices are found. There are none unless the program says so; set it before devices are asked for.
    public static var source: any CaptureHardwareSource {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }

    /// The devices that deliver a kind of media.
    public static func devices(for mediaType: AVMediaType) -> [AVCaptureDevice] {
        source.hardware.filter { $0.mediaTypes.contains(mediaType) }.map { AVCaptureDevice($0) }
    }

    /// The device for a kind of media that looks where it should; nil if there is none.
    public static func `default`(for mediaType: AVMediaType, position: Position = .unspecified) -> AVCaptureDevice? {
        devices(for: mediaType).first { position == .unspecified || $0.position == position }
    }

    /// Whether the person allows a kind of device.
    public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        source.authorizationStatus(for: mediaType)
    }

    /// Asks the person whether a kind of device is allowed, unless the answer is known.
    public static func requestAccess(for mediaType: AVMediaType) async -> Bool {
        await source.requestAccess(for: mediaType)
    }
}
