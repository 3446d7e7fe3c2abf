import Foundation
import LockKit

/// Inputs and outputs that belong together, by the names of Apple's AVFoundation.
///
/// | state | what may be called |
/// |---|---|
/// | at rest | everything; each change is applied to the devices at once |
/// | between `beginConfiguration` and its `commitConfiguration` | changes, which are applied together by the outermost commit; not `startRunning` |
/// | running | changes, as at rest |
///
/// What is called out of order, or added although it cannot be, stops the program with a message, as Apple's framework does; the methods
/// that begin with `can` say it before. A session can be used from any thread.
public final class AVCaptureSession: @unchecked Sendable {
    private struct State {
        var inputs: [AVCaptureInput] = []
        var outputs: [AVCaptureOutput] = []
        var preset = Preset.high
        var depth = 0
        var isRunning = false
        var runtimeError: AVError?
    }

    private let state = Locked(State())

    /// Makes a session without inputs and outputs.
    public init() {}

    // MARK: Inputs

    /// The inputs, in the order in which they were added.
    public var inputs: [AVCaptureInput] { state.withLock { $0.inputs } }
    /// The outputs, in the order in which they were added.
    public var outputs: [AVCaptureOutput] { state.withLock { $0.outputs } }

    /// Whether an input can be added: it is in no session, there is none for the same kind of media, and its device has the preset.
    public func canAddInput(_ input: AVCaptureInput) -> Bool { reason(against: input) == nil }

    /// Adds an input that can be added.
    public func addInput(_ input: AVCaptureInput) {
        if let reason = reason(against: input) { preconditionFailure("the input cannot be added: \(reason)") }
        CaptureMembership.put(input, in: self)
        (input as? AVCaptureDeviceInput)?.device.whenFormatIsChosen { [weak self] in self?.formatWasChosen() }
        state.withLock { $0.inputs.append(input) }
        applyUnlessConfiguring()
    }

    /// Removes an input; one that is not in the session is left alone.
    public func removeInput(_ input: AVCaptureInput) {
        guard
            state.withLock({ state in
                let before = state.inputs.count
                state.inputs.removeAll { $0 === input }
                return state.inputs.count < before
            })
        else { return }
        CaptureMembership.put(input, in: nil)
        let device = (input as? AVCaptureDeviceInput)?.device
        device?.whenFormatIsChosen(nil)
        if isRunning { try? device?.hardware.setRunning(false) }
        applyUnlessConfiguring()
    }

    private func reason(against input: AVCaptureInput) -> String? {
        if CaptureMembership.session(of: input) != nil { return "it is in a session already" }
        guard let device = (input as? AVCaptureDeviceInput)?.device else { return "it has no device" }
        let (present, preset) = state.withLock { ($0.inputs, $0.preset) }
        let taken = present.compactMap { ($0 as? AVCaptureDeviceInput)?.device.hardware.mediaTypes }.reduce(into: Set())
        {
            $0.formUnion($1)
        }
        if !taken.isDisjoint(with: device.hardware.mediaTypes) { return "there is an input for the same kind of media" }
        return device.supportsSessionPreset(preset) ? nil : "its device does not have the preset \(preset.rawValue)"
    }

    // MARK: Outputs

    /// Whether an output can be added: it is in no session, and there is none of the same class.
    public func canAddOutput(_ output: AVCaptureOutput) -> Bool { reason(against: output) == nil }

    /// Adds an output that can be added.
    public func addOutput(_ output: AVCaptureOutput) {
        if let reason = reason(against: output) { preconditionFailure("the output cannot be added: \(reason)") }
        CaptureMembership.put(output, in: self)
        state.withLock { $0.outputs.append(output) }
        applyUnlessConfiguring()
    }

    /// Removes an output; one that is not in the session is left alone.
    public func removeOutput(_ output: AVCaptureOutput) {
        guard CaptureMembership.session(of: output) === self else { return }
        state.withLock { state in state.outputs.removeAll { $0 === output } }
        CaptureMembership.put(output, in: nil)
        applyUnlessConfiguring()
    }

    private func reason(against output: AVCaptureOutput) -> String? {
        if CaptureMembership.session(of: output) != nil { return "it is in a session already" }
        return outputs.contains { type(of: $0) == type(of: output) } ? "there is an output of its class" : nil
    }

    // MARK: Configuration

    /// The preset of size and quality. Setting one that a device does not have stops the program.
    public var sessionPreset: Preset {
        get { state.withLock { $0.preset } }
        set {
            precondition(
                canSetSessionPreset(newValue), "a device of the session does not have the preset \(newValue.rawValue)")
            state.withLock { $0.preset = newValue }
            applyUnlessConfiguring()
        }
    }

    /// Whether all devices of the session have a preset.
    public func canSetSessionPreset(_ preset: Preset) -> Bool {
        devices.allSatisfy { $0.supportsSessionPreset(preset) }
    }

    /// Begins changes that are applied together; may be nested.
    public func beginConfiguration() { state.withLock { $0.depth += 1 } }

    /// Ends changes; the outermost call applies them.
    public func commitConfiguration() {
        let isOutermost = state.withLock { state in
            precondition(state.depth > 0, "commitConfiguration() without beginConfiguration()")
            state.depth -= 1
            return state.depth == 0
        }
        if isOutermost { apply() }
    }

    /// Why devices refused what was last applied, or why the session does not run; nil where all went well.
    public var runtimeError: AVError? { state.withLock { $0.runtimeError } }

    // MARK: Running

    /// Whether media is delivered.
    public var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Begins to deliver. What keeps devices from it is in ``runtimeError``, and the session then does not run.
    public func startRunning() {
        precondition(
            state.withLock { $0.depth } == 0, "startRunning() between beginConfiguration() and commitConfiguration()")
        guard !isRunning else { return }
        state.withLock { ($0.isRunning, $0.runtimeError) = (true, nil) }
        apply()
    }

    /// Ends to deliver.
    public func stopRunning() {
        guard isRunning else { return }
        state.withLock { $0.isRunning = false }
        for device in devices { try? device.hardware.setRunning(false) }
    }

    private var devices: [AVCaptureDevice] { inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.device } }

    private func formatWasChosen() { state.withLock { $0.preset = .inputPriority } }

    private func applyUnlessConfiguring() {
        if state.withLock({ $0.depth }) == 0 { apply() }
    }

    private func apply() {
        let (preset, isRunning) = state.withLock { ($0.preset, $0.isRunning) }
        do {
            for device in devices {
                try device.apply(preset)
                if isRunning { try device.hardware.setRunning(true) }
            }
            state.withLock { $0.runtimeError = nil }
        } catch {
            let error =
                error as? AVError ?? AVError(.unknown, "a device failed: \(error)", hint: "connect the device again")
            state.withLock { ($0.runtimeError, $0.isRunning) = (error, false) }
        }
    }
}
