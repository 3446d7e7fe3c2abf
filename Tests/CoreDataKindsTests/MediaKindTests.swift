import CoreData
import Testing

@testable import CoreDataKinds

@Suite("The kinds of sounds and films") struct MediaKindTests {
    /// A file in WAV without samples.
    private let wave = Data("RIFF\u{24}\0\0\0WAVEfmt ".utf8) + Data([16, 0, 0, 0, 1, 0, 2, 0]) + Data(count: 24)
    private let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])

    @Test("data is a sound by its first bytes, whatever the attribute's name (MEDIA-16)")
    func soundsAreRecognized() throws {
        let reading = try KindTexts.reading("sound", wave)
        #expect(reading.problem == nil && reading.text.contains("\(wave.count) B"))
        #expect(try KindTexts.reading("sound", picture).problem == "it is no sound")
        #expect(try KindTexts.reading("film", wave).problem == "it is no film")
        #expect(try KindTexts.reading("sound", Data()).problem != nil)
    }

    @Test("attributes are guessed by name and bytes together (MEDIA-16, CAM-08)")
    func attributesAreGuessed() {
        let entity = KindTexts.entity(
            ["voiceMemo", "audio", "data", "video"].map { KindTexts.attribute($0, .binaryDataAttributeType) })
        let kinds = EntityKinds(
            entity,
            EntitySamples(entity, ["voiceMemo": [wave, wave], "audio": [picture], "data": [wave], "video": []]))
        #expect(kinds.use(of: "voiceMemo")?.kind == "sound")
        #expect(kinds.use(of: "audio") == nil && kinds.use(of: "data") == nil && kinds.use(of: "video") == nil)
    }

    @Test("sounds and films are not entered as texts (MEDIA-16)")
    func textsAreRefused() {
        for kind in ["sound", "film"] {
            let error = #expect(throws: InspectionError.self) {
                try KindTexts.value(kind, "text", .binaryDataAttributeType)
            }
            #expect(error?.hint?.contains("record it") == true)
        }
    }
}
