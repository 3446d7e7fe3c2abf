import Testing

@testable import CoreDataModelEditing

@Suite struct ListTextTests {
    private static let text = """
        <?xml version="1.0"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><!-- mine --><dict>
        <key>a &amp; b</key> <string>é &lt;x&gt;</string><key>list</key><array><string></string><true/>
        <integer>3</integer><dict><key>k</key><string>v</string></dict></array></dict></plist>
        """

    @Test("strings and keys have their values and places, and the rest stays as it is when they are replaced")
    func placesOfStrings() throws {
        let list = try #require(ListText(Self.text))
        #expect(list.root["a & b"]?.string == "é <x>" && list.root["none"] == nil)
        let elements = try #require(list.root["list"]?.elements)
        #expect(elements.map(\.string) == ["", nil, nil, nil] && elements[3]["k"]?.string == "v")
        guard case .text(_, let name)? = list.root["a & b"], case .text(_, let empty) = elements[0] else {
            Issue.record("there is no text")
            return
        }
        let key = try #require(list.root.members.first?.place)
        #expect(Self.text[name] == "é &lt;x&gt;" && Self.text[key] == "a &amp; b" && empty.isEmpty)
        let changed = list.replacing([(empty, "\"<\""), (key, "c")])
        #expect(
            changed
                == Self.text.replacing("<string></string>", with: "<string>\"&lt;\"</string>").replacing(
                    "a &amp; b", with: "c"))
    }

    @Test(
        "other texts, markup in texts, and what is not a list are refused (HAZ-46)",
        arguments: [
            "", "<dict/>", "<plist/>", "<plist><dict></plist>", "<plist><dict><string>a</string></dict></plist>",
            "<plist><dict><key>a</key></dict></plist>", "<plist><string>a<b/></string></plist>",
            "<plist><string>a<!-- c --></string></plist>", "<plist>text<dict/></plist>",
            "<plist><dict/><dict/></plist>",
            "<!DOCTYPE plist [<!ENTITY a 'b'>]><plist><string>&a;</string></plist>",
            "<plist><string>&a;</string></plist>",
            "<plist>" + String(repeating: "<array>", count: 100_000),
        ])
    func otherTexts(text: String) { #expect(ListText(text) == nil) }
}
