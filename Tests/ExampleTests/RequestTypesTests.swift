import CoreDataTransfer
import Foundation
import LoopbackService
import TestBasics
import TestServers
import Testing

@testable import RequestTypesSample

/// The example RequestTypes: a parameter with its value by GET and by POST.
@Suite(.timeLimit(.minutes(5))) struct RequestTypesTests {
    @Test(
        "the echo server receives parameter and value by GET and by POST as they were given (SAMPLE-19)",
        arguments: [
            ("name", "value"), ("city", "Köln & Übersee"), ("a=b", "1+1 = 2 %"), ("empty", ""), ("q", "a&b=c?#/"),
        ])
    func echo(parameter: String, value: String) async throws {
        let server = try HTTPServer(answer: EchoService.answer)
        defer { server.stop() }
        for method in ParameterRequest.Method.allCases {
            let request = ParameterRequest(method: method, parameter: parameter, value: value)
            let text = try await request.send(to: server.url("/echo"))
            #expect(text == "\(method.rawValue) \(parameter) = \(value)\n")
        }
    }

    @Test("the parameter of a GET is in the query alone, that of a POST in the body alone (SAMPLE-19)")
    func places() async throws {
        let server = try ScriptedServer { _, reply in try reply.respond(text: "OK") }
        defer { server.stop() }
        for method in ParameterRequest.Method.allCases {
            let request = ParameterRequest(method: method, parameter: "param", value: "a value")
            #expect(try await request.send(to: server.url("/echo")) == "OK")
        }
        let sent = server.requests
        try #require(sent.map(\.method) == ["GET", "POST"])
        #expect(sent[0].target == "/echo?param=a%20value" && sent[0].body.isEmpty)
        #expect(sent[1].target == "/echo" && sent[1].body == Data("param=a%20value".utf8))
        #expect(sent[1].field("Content-Type") == "application/x-www-form-urlencoded")
    }

    @Test("a refusal of the server is an error with its status (SAMPLE-19)") func refusals() async throws {
        let server = try ScriptedServer { _, reply in try reply.respond(500, text: "no") }
        defer { server.stop() }
        let error = await #expect(throws: TransferError.self) {
            try await ParameterRequest(method: .post, parameter: "a", value: "b").send(to: server.url("/"))
        }
        #expect(error?.code == .status(500))
    }
}
