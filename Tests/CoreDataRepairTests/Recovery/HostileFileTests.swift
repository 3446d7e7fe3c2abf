import CoreData
import CoreDataRepair
import CoreDataWorkbench
import TestBasics
import Testing

@Suite("Checking and recovering hostile files")
struct HostileFileTests {
    /// A store with some bytes changed, cut off or overwritten.
    private func damage(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        switch random.next(below: 3) {
        case 0:
            for _ in 0...random.next(below: 20) {
                bytes[random.next(below: bytes.count)] ^= UInt8(1 + random.next(below: 255))
            }
        case 1: bytes.removeLast(random.next(below: bytes.count))
        default:
            let start = random.next(below: bytes.count)
            for place in start..<min(bytes.count, start + 2_000) {
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }

    @Test(
        "whatever is done to a file, its check and its recovery end with a report or an error (HAZ-04, HAZ-05, TOOL-16)"
    )
    func randomDamage() throws {
        let scene = try CheckScene(history: true)
        let bytes = [UInt8](try Data(contentsOf: scene.url))
        let target = scene.folder.url.appendingPathComponent("New.sqlite")
        var (found, recovered) = (0, 0)
        for seed in TestSeed.sequences(12, exhaustive: 400) {
            var random = SeededRandom(seed: seed)
            let damaged = Data(damage(bytes, &random))
            try damaged.write(to: scene.url)
            do {
                let report = try StoreCheck(scene.url).run()
                if !report.isSound { found += 1 }
            } catch is InspectionError {
                found += 1
            }
            do {
                let report = try StoreRecovery(scene.url, to: target).run()
                if report.rowCount > 0 { recovered += 1 }
            } catch is InspectionError {
                // The model or all that could be read may be gone.
            }
            #expect(try Data(contentsOf: scene.url) == damaged, "seed \(seed)")
            try? FileManager.default.removeItem(at: target)
        }
        #expect(found > 0 && recovered > 0)
    }
}
