import Foundation
import LockKit

/// A camera or microphone, by the names of Apple's AVFoundation.
///
/// Settings are changed between ``lockForConfiguration()`` and ``unlockForConfiguration()``; changed without, the program stops with a
/// message, as Apple's does. One object stands for a device as long as it is referred to. It can be used from any thread.
public final class AVCaptureDevice: Sendable {
    /// Where a camera looks.
    public enum Position: Int, Sendable, Hashable {
        /// It has no side, or it is not known.
        case unspecified
        /// Away from the person.
        case back
        /// Towards the person.
        case front
    }
    /// A light beside a camera.
    public enum TorchMode: Int, Sendable, Hashable {
        /// Never on.
        case off
        /// Always on.
        case on
        /// On where it is dark.
        case auto
    }
    /// How a camera focuses.
    public enum FocusMode: Int, Sendable, Hashable {
        /// The focus stays as it is.
        case locked
        /// It is set once and then stays.
        case autoFocus
        /// It follows what is seen.
        case continuousAutoFocus
    }

    /// A size and rate that a camera can be set to.
    public struct Format: Sendable, Hashable {
        /// Width and height in pixels.
        public let dimensions: PixelSize
        /// The most pictures in a second.
        public let maxFrameRate: Double
        /// Makes a format.
        public init(dimensions: PixelSize, maxFrameRate: Double) {
            (self.dimensions, self.maxFrameRate) = (dimensions, maxFrameRate)
        }
    }

    private struct State {
        var locks = 0
        var settings: CaptureSettings
        var isChanged = false
        /// Called when a format is chosen, which ends the session's preset.
        var choseFormat: (@Sendable () -> Void)?
    }

    let hardware: any CaptureHardware
    private let state: Locked<State>

    /// Makes the device of a hardware that the program has.
    public init(_ hardware: any CaptureHardware) {
        self.hardware = hardware
        state = Locked(
            State(
                settings: CaptureSettings(
                    preset: .high, format: hardware.formats.first, torchMode: .off,
                    focusMode: hardware.focusModes.contains(.continuousAutoFocus) ? .continuousAutoFocus : .locked)))
    }

    /// An identifier that stays when the device is connected again.
    public var uniqueID: String { hardware.uniqueID }
    /// The name for people.
    public var localizedName: String { hardware.localizedName }
    /// Where a camera looks.
    public var position: Position { hardware.position }
    /// The formats of a camera.
    public var formats: [Format] { hardware.formats }
    /// Whether the device delivers a kind of media.
    public func hasMediaType(_ mediaType: AVMediaType) -> Bool { hardware.mediaTypes.contains(mediaType) }

    // MARK: Settings

    /// Whether there is a light that can be switched on.
    public var hasTorch: Bool { hardware.torchModes.contains { $0 != .off } }
    /// Whether the light has a mode; false for all modes where there is no light.
    public func isTorchModeSupported(_ mode: TorchMode) -> Bool { hasTorch && hardware.torchModes.contains(mode) }
    /// Whether the camera focuses in a way.
    public func isFocusModeSupported(_ mode: FocusMode) -> Bool { hardware.focusModes.contains(mode) }

    /// The light. Setting it needs the lock and a mode that is supported.
    public var torchMode: TorchMode {
        get { state.withLock { $0.settings.torchMode } }
        set {
            precondition(
                isTorchModeSupported(newValue),
                "the device '\(localizedName)' has no torch mode \(newValue); ask isTorchModeSupported(_:) first")
            change("torchMode") { $0.torchMode = newValue }
        }
    }

    /// Switches the light on, as ``torchMode`` with an error for a device that cannot.
    ///
    /// - Throws: ``AVError`` with `torchLevelUnavailable`.
    public func setTorchModeOn(level: Float) throws {
        guard isTorchModeSupported(.on), level > 0, level <= 1 else {
            throw AVError(
                .torchLevelUnavailable, "the device '\(localizedName)' has no light of level \(level)",
                hint: "ask isTorchModeSupported(_:) first, and give a level above 0 and up to 1")
        }
        change("torchMode") { $0.torchMode = .on }
    }

    /// The way of focusing. Setting it needs the lock and a mode that is supported.
    public var focusMode: FocusMode {
        get { state.withLock { $0.settings.focusMode } }
        set {
            precondition(
                isFocusModeSupported(newValue),
                "the device '\(localizedName)' has no focus mode \(newValue); ask isFocusModeSupported(_:) first")
            change("focusMode") { $0.focusMode = newValue }
        }
    }

    /// The format. Setting it needs the lock and one of ``formats``; a session that uses the device then has the preset
    /// `inputPriority`, so that it changes the format no more.
    public var activeFormat: Format? {
        get { state.withLock { $0.settings.format } }
        set {
            precondition(
                newValue.map { formats.contains($0) } ?? false,
                "the device '\(localizedName)' has no such format; choose one of 'formats'")
            change("activeFormat") { $0.format = newValue }
            state.withLock { $0.choseFormat }?()
        }
    }

    /// Takes the device for changes of its settings; may be called several times.
    ///
    /// - Throws: ``AVError`` with `deviceLockedForConfigurationByAnotherProcess`.
    public func lockForConfiguration() throws {
        try state.withLock { state in
            if state.locks == 0 { try hardware.lock() }
            state.locks += 1
        }
    }

    /// Applies what was changed, when it was called as often as ``lockForConfiguration()``; more calls do nothing.
    public func unlockForConfiguration() {
        state.withLock { state in
            guard state.locks > 0 else { return }
            state.locks -= 1
            guard state.locks == 0 else { return }
            // A device that refuses keeps what it had, as one that was disconnected does.
            if state.isChanged { try? hardware.apply(state.settings) }
            state.isChanged = false
            hardware.unlock()
        }
    }

    private func change(_ name: String, _ body: (inout CaptureSettings) -> Void) {
        state.withLock { state in
            precondition(state.locks > 0, "'\(name)' of '\(localizedName)' is changed without lockForConfiguration()")
            body(&state.settings)
            state.isChanged = true
        }
    }

    /// Applies a session's preset, with what is set here.
    func apply(_ preset: AVCaptureSession.Preset) throws {
        try state.withLock { state in
            state.settings.preset = preset
            try hardware.apply(state.settings)
        }
    }

    func whenFormatIsChosen(_ body: (@Sendable () -> Void)?) { state.withLock { $0.choseFormat = body } }

    /// Whether a camera can have the size of a preset.
    public func supportsSessionPreset(_ preset: AVCaptureSession.Preset) -> Bool {
        guard let size = preset.size else { return true }
        return formats.contains { $0.dimensions.width >= size.width && $0.dimensions.height >= size.height }
    }
}
