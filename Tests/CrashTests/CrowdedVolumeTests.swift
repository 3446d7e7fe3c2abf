import CoreData
import TestBasics
import Testing
import WriteScenarios

@Suite("A volume without room", .timeLimit(.minutes(20)))
struct CrowdedVolumeTests {
    @Test(
        "a large value without room refuses the save with its files taken back, and is saved once there is room (HAZ-38)"
    )
    func largeValueWithoutRoom() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appendingPathComponent("Photos.sqlite")
        _ = try Opened.context(store.path, CrowdedModel.make())
        let child = try Child("crowd", store.path, "150000")
        #expect(child.lines() == ["\(NSFileWriteOutOfSpaceError)", "0", "saved", "1"])
        #expect(child.status() == 0)
        let files = folder.appendingPathComponent(".Photos_SUPPORT/_EXTERNAL_DATA").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: files).count == 1)
    }
}
