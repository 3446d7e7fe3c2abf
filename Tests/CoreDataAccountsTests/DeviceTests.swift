import Foundation
import TestBasics
import TestServers
import Testing

@testable import CoreDataAccounts

@Suite struct DeviceTests {
    private static let start =
        "{\"device_code\":\"device\",\"user_code\":\"WDJB-MJHT\",\"verification_uri\":\"https://example.com/device\","
        + "\"verification_uri_complete\":\"https://example.com/device?code=WDJB-MJHT\",\"expires_in\":600,\"interval\":3}"

    /// A provider that answers with the code, and then in this order to the questions: an error, or tokens for nil.
    private func provider(_ answers: [String?], start: String = Self.start) throws -> TestProvider {
        let number = Answers()
        return try TestProvider { request, reply in
            if request.path == "/device" { return try reply.json(200, [], start) }
            let index = number.next()
            guard let error = answers[min(index, answers.count - 1)] else { return try reply.tokens("new") }
            if error == "down" { return try reply.respond(503) }
            // Some providers send errors with status 200.
            try reply.json(index == 0 ? 200 : 400, [], "{\"error\":\"\(error)\"}")
        }
    }

    @Test("a code for another device gives tokens once the user agreed, asked for no faster than allowed (WEB-12)")
    func agreed() async throws {
        let test = try provider(["authorization_pending", "slow_down", "authorization_pending", "down", nil])
        let authorizer = try test.authorizer()
        let device = try await authorizer.deviceAuthorization()
        #expect(device.userCode == "WDJB-MJHT")
        #expect(device.verificationURL.absoluteString == "https://example.com/device")
        #expect(device.completeURL?.query == "code=WDJB-MJHT")
        #expect(test.server.requests.first?.form == ["client_id": "client", "scope": "read write"])
        #expect(try await authorizer.tokens(for: device).access == Secret("new"))
        #expect(test.time.waits == [3, 3, 8, 8, 16])
        let form = try #require(test.server.requests.last).form
        #expect(form["device_code"] == "device" && form["client_id"] == "client")
        #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code")
    }

    @Test(
        "a denial and an expired code end the questions (WEB-12)",
        arguments: [
            ("access_denied", AccountError.Code.accessDenied), ("expired_token", .expired),
            ("invalid_grant", .refused("invalid_grant")),
        ])
    func ends(error: String, code: AccountError.Code) async throws {
        let test = try provider(["authorization_pending", error])
        let authorizer = try test.authorizer()
        let device = try await authorizer.deviceAuthorization()
        #expect(await accountCode { _ = try await authorizer.tokens(for: device) } == code)
        #expect(test.server.requests.count == 3)
    }

    @Test("nothing is asked for after the code expired, however often the user has not agreed (WEB-12)")
    func expires() async throws {
        let test = try provider(["authorization_pending"])
        let authorizer = try test.authorizer()
        let device = try await authorizer.deviceAuthorization()
        #expect(await accountCode { _ = try await authorizer.tokens(for: device) } == .expired)
        // 600 seconds by 3, without the last.
        #expect(test.server.requests.count == 1 + 199)
    }

    @Test(
        "a code without a page of https, or with control characters, is refused (WEB-12)",
        arguments: [
            "{\"device_code\":\"d\",\"user_code\":\"u\",\"verification_uri\":\"http://example.com/\",\"expires_in\":600}",
            "{\"device_code\":\"d\",\"user_code\":\"u\",\"verification_uri\":\"javascript:alert(1)\",\"expires_in\":600}",
            "{\"device_code\":\"d\",\"user_code\":\"u\\u001b[2J\",\"verification_uri\":\"https://a/\",\"expires_in\":600}",
            "{\"device_code\":\"d\",\"verification_uri\":\"https://a/\",\"expires_in\":600}", "[]",
            "{\"device_code\":\"d\",\"user_code\":\"u\",\"verification_uri\":\"https://a/\",\"expires_in\":-1}",
        ])
    func invalid(start: String) async throws {
        let test = try provider([nil], start: start)
        let authorizer = try test.authorizer()
        #expect(await accountCode { _ = try await authorizer.deviceAuthorization() } == .invalidAnswer)
    }

    @Test("a pause of zero, and one that is missing, are not taken literally (WEB-12)")
    func pauses() async throws {
        for (text, expected) in [(",\"interval\":0}", 1.0), ("}", 5.0), (",\"interval\":1e300}", 5.0)] {
            let start = Self.start.replacing(",\"interval\":3}", with: text)
            let test = try provider([nil], start: start)
            let authorizer = try test.authorizer()
            _ = try await authorizer.tokens(for: authorizer.deviceAuthorization())
            #expect(test.time.waits == [expected])
        }
    }
}
