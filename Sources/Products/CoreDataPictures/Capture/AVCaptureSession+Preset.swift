extension AVCaptureSession {
    /// A preset of size and quality, by Apple's identifiers.
    public struct Preset: RawRepresentable, Sendable, Hashable {
        /// Apple's identifier.
        public let rawValue: String
        /// Makes a preset of its identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The device's best.
        public static let high = Preset(rawValue: "AVCaptureSessionPresetHigh")
        /// Enough for a quick connection.
        public static let medium = Preset(rawValue: "AVCaptureSessionPresetMedium")
        /// Enough for a slow connection.
        public static let low = Preset(rawValue: "AVCaptureSessionPresetLow")
        /// Photographs of full size.
        public static let photo = Preset(rawValue: "AVCaptureSessionPresetPhoto")
        /// The format that the device was set to counts.
        public static let inputPriority = Preset(rawValue: "AVCaptureSessionPresetInputPriority")
        /// 352 × 288 pixels.
        public static let cif352x288 = Preset(rawValue: "AVCaptureSessionPreset352x288")
        /// 640 × 480 pixels.
        public static let vga640x480 = Preset(rawValue: "AVCaptureSessionPreset640x480")
        /// 1,280 × 720 pixels.
        public static let hd1280x720 = Preset(rawValue: "AVCaptureSessionPreset1280x720")
        /// 1,920 × 1,080 pixels.
        public static let hd1920x1080 = Preset(rawValue: "AVCaptureSessionPreset1920x1080")
        /// 3,840 × 2,160 pixels.
        public static let hd4K3840x2160 = Preset(rawValue: "AVCaptureSessionPreset3840x2160")

        /// The size that the identifier ends with; nil for presets of quality.
        var size: PixelSize? {
            let numbers = rawValue.drop { !$0.isNumber }.split(separator: "x").compactMap { Int($0) }
            return numbers.count == 2 ? PixelSize(width: numbers[0], height: numbers[1]) : nil
        }
    }
}
