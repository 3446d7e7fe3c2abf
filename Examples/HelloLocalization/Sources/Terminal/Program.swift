import CoreDataLocalization
import Foundation

/// Greets in the language of the environment, or in the first of those that are given.
@main
struct Program {
    static func main() {
        do {
            let words = CommandLine.arguments.dropFirst()
            let choice = try LanguageChoice(option: words.isEmpty ? nil : words.joined(separator: ","))
            print(try Greeting().text(for: choice.languages))
        } catch {
            FileHandle.standardError.write(
                Data("hellolocalization: \(error)\nusage: hellolocalization [LANGUAGE…]\n".utf8))
            exit(1)
        }
    }
}
