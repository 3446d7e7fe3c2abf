import CoreDataPictures
import Foundation
import LockKit
import Testing
import UniformTypeIdentifiers

/// A device that notes what it is asked.
private final class FakeHardware: CaptureHardware {
    let uniqueID: String
    var localizedName: String { uniqueID }
    let mediaTypes: Set<AVMediaType>
    let position: AVCaptureDevice.Position
    let torchModes: Set<AVCaptureDevice.TorchMode>
    let focusModes: Set<AVCaptureDevice.FocusMode> = [.locked, .continuousAutoFocus]
    let formats: [AVCaptureDevice.Format]
    let notes = Locked<[String]>([])
    let isBroken: Bool

    init(
        _ id: String, _ mediaTypes: Set<AVMediaType> = [.video], position: AVCaptureDevice.Position = .back,
        torch: Bool = false, isBroken: Bool = false
    ) {
        (uniqueID, self.mediaTypes, self.position, self.isBroken) = (id, mediaTypes, position, isBroken)
        torchModes = torch ? [.off, .on] : []
        formats =
            mediaTypes.contains(.video)
            ? [(640, 480), (1_920, 1_080)].map {
                AVCaptureDevice.Format(dimensions: PixelSize(width: $0.0, height: $0.1), maxFrameRate: 30)
            } : []
    }

    private func note(_ text: String) { notes.withLock { $0.append(text) } }
    func taken() -> [String] {
        notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
    }

    func lock() throws {
        if isBroken {
            throw AVError(.deviceLockedForConfigurationByAnotherProcess, "it is locked", hint: "wait")
        }
        note("lock")
    }
    func unlock() { note("unlock") }
    func apply(_ settings: CaptureSettings) throws {
        note("apply \(settings.preset.rawValue.dropFirst(22)) \(settings.torchMode)")
    }
    func setRunning(_ isRunning: Bool) throws {
        if isBroken { throw AVError(.deviceNotConnected, "it is gone", hint: "connect it") }
        note(isRunning ? "run" : "stop")
    }
    func photograph(_ settings: AVCapturePhotoSettings) throws -> Data { Data(settings.type.identifier.utf8) }
}

private struct FakeSource: CaptureHardwareSource {
    let hardware: [any CaptureHardware]
    var status = AVAuthorizationStatus.authorized
    func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus { status }
    func requestAccess(for mediaType: AVMediaType) async -> Bool { status == .authorized }
}

@Suite("The capture graph", .serialized) struct CaptureTests {
    private func input(_ hardware: FakeHardware) throws -> AVCaptureDeviceInput {
        try AVCaptureDeviceInput(device: AVCaptureDevice(hardware))
    }

    @Test("CAM-04: devices are found by kind and position, no source has no devices, and a refusal is an error")
    func devicesAreFound() async throws {
        #expect(AVCaptureDevice.devices(for: .video).isEmpty)
        #expect(AVCaptureDevice.authorizationStatus(for: .video) == .notDetermined)
        let hardware: [any CaptureHardware] = [
            FakeHardware("back"), FakeHardware("front", position: .front), FakeHardware("microphone", [.audio]),
        ]
        AVCaptureDevice.source = FakeSource(hardware: hardware)
        #expect(AVCaptureDevice.devices(for: .video).map(\.uniqueID) == ["back", "front"])
        #expect(AVCaptureDevice.default(for: .video, position: .front)?.uniqueID == "front")
        #expect(AVCaptureDevice.default(for: .audio, position: .back)?.uniqueID == "microphone")
        #expect(await AVCaptureDevice.requestAccess(for: .video))
        AVCaptureDevice.source = FakeSource(hardware: hardware, status: .denied)
        let error = #expect(throws: AVError.self) { try input(FakeHardware("back")) }
        #expect(error?.code == .applicationIsNotAuthorizedToUseDevice)
        AVCaptureDevice.source = FakeSource(hardware: [])
    }

    @Test(
        "CAM-04: an input and an output are in one session, one for each kind, and only with a preset that the device has"
    )
    func whatCanBeAdded() throws {
        let session = AVCaptureSession()
        let back = try input(FakeHardware("back"))
        #expect(session.canAddInput(back))
        session.addInput(back)
        #expect(!session.canAddInput(back), "it is in the session")
        #expect(!session.canAddInput(try input(FakeHardware("front"))), "there is a camera")
        #expect(session.canAddInput(try input(FakeHardware("microphone", [.audio]))))
        #expect(!AVCaptureSession().canAddInput(back), "it is in another session")
        let output = AVCapturePhotoOutput()
        #expect(session.canAddOutput(output))
        session.addOutput(output)
        #expect(!session.canAddOutput(output) && !session.canAddOutput(AVCapturePhotoOutput()))
        session.removeInput(back)
        session.removeOutput(output)
        #expect(session.canAddInput(back) && session.canAddOutput(output))
        #expect(session.canSetSessionPreset(.hd4K3840x2160), "without a camera")
        session.sessionPreset = .hd4K3840x2160
        #expect(!session.canAddInput(back))
        session.sessionPreset = .hd1920x1080
        session.addInput(back)
        #expect(!session.canSetSessionPreset(.hd4K3840x2160) && session.canSetSessionPreset(.photo))
    }

    @Test("CAM-04: changes between begin and commit are applied once, by the outermost commit")
    func changesAreAppliedTogether() throws {
        let hardware = FakeHardware("back")
        let session = AVCaptureSession()
        session.addInput(try input(hardware))
        #expect(hardware.taken() == ["apply High off"])
        session.beginConfiguration()
        session.sessionPreset = .vga640x480
        session.beginConfiguration()
        session.sessionPreset = .hd1920x1080
        session.addOutput(AVCapturePhotoOutput())
        session.commitConfiguration()
        #expect(hardware.taken().isEmpty)
        session.commitConfiguration()
        #expect(hardware.taken() == ["apply 1920x1080 off"])
        session.startRunning()
        #expect(session.isRunning && hardware.taken() == ["apply 1920x1080 off", "run"])
        session.stopRunning()
        #expect(!session.isRunning && hardware.taken() == ["stop"])
    }

    @Test("CAM-04: settings are changed under the lock, and a missing torch is reported as absent")
    func settingsNeedTheLock() throws {
        let plain = AVCaptureDevice(FakeHardware("plain"))
        #expect(!plain.hasTorch && !plain.isTorchModeSupported(.on) && !plain.isTorchModeSupported(.off))
        try plain.lockForConfiguration()
        let error = #expect(throws: AVError.self) { try plain.setTorchModeOn(level: 1) }
        #expect(error?.code == .torchLevelUnavailable)
        plain.unlockForConfiguration()
        let hardware = FakeHardware("lit", torch: true)
        let lit = AVCaptureDevice(hardware)
        try lit.lockForConfiguration()
        try lit.lockForConfiguration()
        lit.torchMode = .on
        lit.unlockForConfiguration()
        #expect(hardware.taken() == ["lock"])
        lit.unlockForConfiguration()
        lit.unlockForConfiguration()
        #expect(hardware.taken() == ["apply High on", "unlock"] && lit.torchMode == .on)
        let locked = #expect(throws: AVError.self) {
            try AVCaptureDevice(FakeHardware("other", isBroken: true)).lockForConfiguration()
        }
        #expect(locked?.code == .deviceLockedForConfigurationByAnotherProcess)
    }

    @Test("CAM-04: a format that is chosen makes the preset that of the input")
    func formatsEndPresets() throws {
        let hardware = FakeHardware("back")
        let one = try input(hardware)
        let session = AVCaptureSession()
        session.addInput(one)
        try one.device.lockForConfiguration()
        one.device.activeFormat = one.device.formats.first
        one.device.unlockForConfiguration()
        #expect(session.sessionPreset == .inputPriority)
        #expect(session.canSetSessionPreset(.inputPriority))
    }

    @Test("CAM-04: a photograph needs a running session, and a device that fails ends it with the reason")
    func photographsNeedARunningSession() async throws {
        let session = AVCaptureSession()
        let output = AVCapturePhotoOutput()
        session.addOutput(output)
        let error = await #expect(throws: AVError.self) { try await output.capturePhoto() }
        #expect(error?.code == .sessionNotRunning)
        session.addInput(try input(FakeHardware("back")))
        session.startRunning()
        let photo = try await output.capturePhoto(with: AVCapturePhotoSettings(type: .png))
        #expect(photo.fileDataRepresentation() == Data("public.png".utf8))
        let broken = AVCaptureSession()
        broken.addInput(try input(FakeHardware("broken", isBroken: true)))
        broken.startRunning()
        #expect(!broken.isRunning && broken.runtimeError?.code == .deviceNotConnected)
    }

    @Test("CAM-04: what is out of order stops the program")
    func outOfOrderStops() async {
        await #expect(processExitsWith: .failure) {
            let session = AVCaptureSession()
            session.beginConfiguration()
            session.startRunning()
        }
        await #expect(processExitsWith: .failure) { AVCaptureSession().commitConfiguration() }
        await #expect(processExitsWith: .failure) {
            AVCaptureDevice(FakeHardware("lit", torch: true)).torchMode = .on
        }
        await #expect(processExitsWith: .failure) {
            let output = AVCapturePhotoOutput()
            AVCaptureSession().addOutput(output)
            let session = AVCaptureSession()
            session.addOutput(output)
            session.addOutput(output)
        }
    }
}
