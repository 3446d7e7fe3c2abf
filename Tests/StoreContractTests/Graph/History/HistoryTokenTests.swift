import CoreData
import Testing

@Suite struct HistoryTokenTests {
    private let token = NSPersistentHistoryToken(["83A993EA-6D3C-4D63-B07C-44FD6018524E": 3, "Ä": .max])

    private func read(_ data: Data) -> NSPersistentHistoryToken? {
        try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
    }

    @Test("a token survives archiving (CTX-34)")
    func tokenSurvivesArchiving() throws {
        for token in [token, NSPersistentHistoryToken([:]), NSPersistentHistoryToken(["": 0])] {
            let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
            let same = try #require(read(data))
            #expect(same == token && same.hash == token.hash && same !== token)
        }
    }

    @Test("Tokens are equal by what they say, and describe themselves as Apple's do")
    func tokensAreEqualByWhatTheySay() {
        let one = NSPersistentHistoryToken(["83A993EA-6D3C-4D63-B07C-44FD6018524E": 3])
        #expect(one == NSPersistentHistoryToken(["83A993EA-6D3C-4D63-B07C-44FD6018524E": 3]) && one != token)
        #expect(Set([one, one]).count == 1 && one.copy() as AnyObject === one)
        #expect(
            one.description
                == "<NSPersistentHistoryToken - {\n    \"83A993EA-6D3C-4D63-B07C-44FD6018524E\" = 3;\n}>")
    }

    @Test("a token's archive with any byte of it changed is refused (HAZ-32)")
    func changedArchive() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        let start = try #require(data.range(of: Data("CDHT".utf8))).lowerBound
        // The form's own bytes: head, count, two stores, sum.
        let length = 4 + 1 + 2 + (2 + 36 + 8) + (2 + 2 + 8) + 8
        // Each refusal is a line in the log; all bits of the form itself are changed by tests of the graph.
        for place in stride(from: start, to: start + length, by: 5) {
            var changed = data
            changed[place] ^= 1
            #expect(read(changed) == nil, "byte \(place - start)")
        }
    }

    @Test("a cut archive, and one of another class, are refused as tokens (HAZ-32)")
    func cutArchive() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        #expect(read(Data()) == nil && read(data.prefix(data.count / 2)) == nil)
        let text = try NSKeyedArchiver.archivedData(withRootObject: NSString("token"), requiringSecureCoding: true)
        #expect(read(text) == nil)
    }
}
