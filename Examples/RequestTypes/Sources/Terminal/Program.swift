import CoreDataTransfer
import Foundation
import LoopbackService

/// Sends a parameter with its value by GET and by POST.
@main
struct Program {
    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            switch words.count {
            case 2:
                let server = try HTTPServer(answer: EchoService.answer)
                defer { server.stop() }
                try await send(words[0], words[1], to: server.url("/echo"))
            case 3:
                guard let url = URL(string: words[2]) else { throw Usage() }
                try await send(words[0], words[1], to: url)
            default: throw Usage()
            }
        } catch {
            FileHandle.standardError.write(Data("requesttypes: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func send(_ parameter: String, _ value: String, to url: URL) async throws {
        for method in ParameterRequest.Method.allCases {
            let request = ParameterRequest(method: method, parameter: parameter, value: value)
            print(try await request.send(to: url), terminator: "")
        }
    }

    private struct Usage: Error, CustomStringConvertible {
        let description = "usage: requesttypes PARAMETER VALUE [URL]; without a URL to an echo server of its own"
    }
}
