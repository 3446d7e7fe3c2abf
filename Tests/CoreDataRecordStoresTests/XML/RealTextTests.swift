import TestBasics
import Testing

@testable import CoreDataRecordStores

@Suite struct RealTextTests {
    @Test("the text of a real gives back its bits (STO-04)")
    func bitsComeBack() {
        var random = SeededRandom(seed: TestSeed.first)
        let special: [UInt64] = [0, 1 << 63, 0x7FF0_0000_0000_0000, 0xFFF8_0000_0000_1234, 0x7FF8_0000_0000_0000, 1]
        for bits in special + (0..<20_000).map({ _ in random.next() }) {
            let value = Double(bitPattern: bits)
            let (plain, seconds) = (RealText.value(RealText.text(value)), RealText.value(RealText.seconds(value)))
            #expect(plain?.bitPattern == bits && seconds?.bitPattern == bits)
        }
        let apple = RealText.seconds(445_103_622.25)
        #expect(apple == "445103622.25000000000000000000")
    }

    @Test(
        "texts that are not numbers give nil (HAZ-49)", arguments: ["", "1x", "bits:12", "bits:zzzzzzzzzzzzzzzz", " 1"])
    func noNumbers(text: String) { #expect(RealText.value(text) == nil && RealText.decimal(text) == nil) }

    @Test("decimals keep 38 digits (STO-04)")
    func decimalsKeep38Digits() {
        #expect(
            RealText.decimal("12345678901234567890.123456789012345678") == "12345678901234567890.123456789012345678")
        #expect(
            RealText.decimal("1.50") == "1.5" && RealText.decimal("1e400") == nil && RealText.decimal("1.2.3") == nil)
    }
}
