import CoreData
import CoreDataBrowser
import CoreDataCodes
import StoreContract
import Testing

@Suite("The pages of codes", .enabled(if: CodeWriter.isAvailable, "zxing-cpp-tools is not installed"))
struct CodePageTests {
    private let browser = Browser()

    private func post(_ target: String, _ type: String, _ body: Data) async throws -> (status: Int, answer: Answer) {
        let response = await browser.respond(
            to: BrowserRequest(
                method: "POST", target: target, headers: ["Content-Type": type], body: BrowserBody(Array(body)),
                user: BrowserUser(name: "eva")))
        let bytes = try await response.body.bytes(limit: 1 << 24)
        return (response.status, Answer(try JSONSerialization.jsonObject(with: Data(bytes))))
    }

    @Test("a text becomes a path of its modules, and a picture its texts (CAM-05, CAM-06)")
    func codesAreMadeAndRead() async throws {
        let made = try await post("/codes/writing", "application/json", Data(#"{"text": "Grüße"}"#.utf8))
        #expect(made.status == 200 && made.answer["width"].number == made.answer["height"].number)
        #expect(made.answer["path"].text?.hasPrefix("M4 4h7v1h-7z") == true)
        let picture = try await CodeWriter(type: .aztec).matrix(of: "read").png()
        let read = try await post("/codes/reading", "image/png", picture)
        #expect(read.answer["codes"].list.map { $0["text"].text } == ["read"])
        #expect(read.answer["codes"][0]["summary"].text == "We read read from a barcode of type org.iso.Aztec")
        let others = try await post("/codes/reading?types=org.iso.QRCode,org.gs1.EAN-13", "image/png", picture)
        #expect(others.answer["codes"].list.isEmpty)
    }

    @Test("other files than pictures, missing texts and large bodies are refused with a status (CAM-05)")
    func badRequestsAreRefused() async throws {
        for (target, type, body, status) in [
            ("/codes/reading", "image/png", "no picture", 422), ("/codes/reading", "text/plain", "x", 415),
            ("/codes/writing", "application/json", "{}", 422), ("/codes/writing", "text/plain", "{}", 415),
            ("/codes/writing", "application/json", #"{"text": "x", "type": "runes"}"#, 422),
            ("/codes/writing", "application/json", #"{"text": "1", "type": "org.gs1.EAN-13"}"#, 422),
        ] {
            let answer = try await post(target, type, Data(body.utf8))
            #expect(answer.status == status, "\(target) \(body): \(answer.answer)")
            #expect(answer.answer["error"]["reason"].text?.isEmpty == false)
        }
        let large = try await post("/codes/reading", "image/png", Data(count: (32 << 20) + 1))
        #expect(large.status == 413)
    }
}
