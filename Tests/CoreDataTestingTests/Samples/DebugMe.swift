import Foundation

/// The class that chapters on testing and debugging begin with.
final class DebugMe {
    private let string: String?

    init(string: String? = "Hello, World!") { self.string = string }

    func stringValue() -> String? { string }
    func isTrue() -> Bool { string?.isEmpty == false }
    func isFalse() -> Bool { !isTrue() }
    func helloWorld() -> String { string ?? "" }
    func processFoo(_ number: Int) -> Int { number * 2 }
    /// Doubles in 32 bits, as the book's class does.
    func processBar(_ number: Float) -> Float { number * 2 }
}
