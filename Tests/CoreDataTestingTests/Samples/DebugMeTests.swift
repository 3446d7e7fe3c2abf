import Testing

@Suite struct DebugMeTests {
    private let subject = DebugMe()

    @Test("the values of the book's class (TEST-11)")
    func valuesOfBook() {
        #expect(subject.stringValue() != nil && subject.isTrue() && !subject.isFalse())
        #expect(subject.helloWorld() == "Hello, World!")
        #expect(subject.processFoo(25) == 50)
        #expect(abs(Double(subject.processBar(374.3494)) - 748.6988) < 748.6988 * Double(Float.ulpOfOne))
        #expect(!DebugMe(string: nil).isTrue() && DebugMe(string: "").isFalse())
    }
}
