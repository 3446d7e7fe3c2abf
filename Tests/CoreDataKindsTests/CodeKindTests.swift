import CoreData
import Testing

@testable import CoreDataKinds

@Suite("The kind of codes") struct CodeKindTests {
    @Test("a number of a product is valid with its check digit only (CAM-05)")
    func numbersAreVerified() throws {
        let ean = ["type": "ean13"]
        #expect(try KindTexts.reading("code", "4006381333931", parameters: ean).problem == nil)
        #expect(try KindTexts.reading("code", "4006381333932", parameters: ean).problem == "its check digit is wrong")
        #expect(
            try KindTexts.reading("code", "40063", parameters: ean).problem == "it is no number of 8, 12 or 13 digits")
        #expect(try KindTexts.value("code", " 036000291452 ", parameters: ean) as? String == "036000291452")
        let error = #expect(throws: InspectionError.self) {
            try KindTexts.value("code", "036000291453", parameters: ean)
        }
        #expect(error?.hint?.contains("check digit") == true)
    }

    @Test("any text is a QR code, and an address of the web in it leads there (CAM-06)")
    func textsAreCodes() throws {
        #expect(try KindTexts.reading("code", "https://example.org/a").link == "https://example.org/a")
        #expect(try KindTexts.reading("code", "javascript:alert(1)").link == nil)
        #expect(try KindTexts.value("code", " kept as it is ") as? String == " kept as it is ")
        let kind = try #require(KindRegistry.kind("code"))
        let content = kind.content(KindValues(["value": "x"]), KindUse(kind: "code", key: "value", origin: .model))
        #expect(content.map(JSONWriter.line) == #"{"type":"org.iso.QRCode","text":"x"}"#)
    }

    @Test("attributes with the names of product numbers are guessed if their values are (CAM-05)")
    func numbersAreGuessed() throws {
        let entity = KindTexts.entity([
            KindTexts.attribute("barcode"), KindTexts.attribute("isbn"), KindTexts.attribute("name"),
            KindTexts.attribute("qrCode"),
        ])
        let values = ["4006381333931", "036000291452", "96385074", "9783161484100", "0036000291452"]
        let kinds = EntityKinds(
            entity, EntitySamples(entity, ["barcode": values, "isbn": ["n/a", "-"], "name": values, "qrCode": ["x"]]))
        #expect(kinds.use(of: "barcode")?.parameters == ["type": "ean13"])
        #expect(kinds.use(of: "isbn")?.kind != "code" && kinds.use(of: "name")?.kind != "code")
        #expect(kinds.use(of: "qrCode")?.kind == "code")
    }

    @Test("a type of codes that there is not is refused with those that there are (CAM-05)")
    func unknownTypes() throws {
        let attribute = KindTexts.attribute("label", kind: ["valueKind": "code", "valueKind.type": "runes"])
        let entity = KindTexts.entity([attribute])
        let kinds = EntityKinds(entity, EntitySamples(entity, [:]))
        #expect(kinds.problems.first?.contains("dataMatrix") == true)
        let second = KindTexts.entity([
            KindTexts.attribute("label", kind: ["valueKind": "code", "valueKind.type": "aztec"])
        ])
        #expect(EntityKinds(second, EntitySamples(second, [:])).use(of: "label")?.parameters["type"] == "aztec")
    }
}
