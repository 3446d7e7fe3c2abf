import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@testable import CoreDataSyncSealing

@Suite("Pairing by a text")
struct PairingTextTests {
    @Test("a text is read as it was written, and a part of it or an altered one is refused")
    func textIsRead() throws {
        let folder = try TemporaryFolder()
        let devices = try SealedDevices(1, over: FolderTransport(folder.url))
        let text = try devices[0].invite(validFor: 3_600)
        #expect(text.text.hasPrefix("opencoredata-pair:"))
        let read = try PairingText("\n  \(text.text) \n")
        #expect(read.address == folder.url.path && read.group == text.group && read.secret == text.secret)
        #expect(read.expires == Date(timeIntervalSince1970: Double(devices.clock.now + 3_600)))
        for count in 0..<text.text.count {
            let error = #expect(throws: SyncError.self, "\(count)") { try PairingText(String(text.text.prefix(count))) }
            #expect(error?.code == .pairing)
        }
        var characters = Array(text.text)
        for place in characters.indices {
            let old = characters[place]
            characters[place] = old == "A" ? "B" : "A"
            // The last character has bits that are not used.
            let other = try? PairingText(String(characters))
            #expect(other == nil || place == characters.count - 1 && other?.text == text.text, "\(place)")
            characters[place] = old
        }
    }

    @Test("a text is good for one device")
    func textIsUsedOnce() throws {
        let devices = try SealedDevices(1)
        let text = try devices[0].invite(validFor: 60)
        let (first, second) = (try devices.accept(text, "first"), try devices.accept(text, "second"))
        for guest in [first, second] {
            let error = #expect(throws: SyncError.self) { try guest.items() }
            #expect(error?.code == .pairing)
        }
        let refused = try devices[0].refusals()
        #expect(refused.count == 1 && refused.values.first?.description.contains("another device has used") == true)
        #expect(try devices.reopened(0).members.count == 2)
        let admitted = [first, second].filter { (try? $0.items()) != nil }
        #expect(admitted.count == 1)
        // Later as well, and by another process.
        let third = try devices.accept(text, "third")
        #expect(throws: SyncError.self) { try third.items() }
        #expect(try devices.reopened(0).refusals().count == 2)
        #expect(try devices[0].members.count == 2)
    }

    @Test("a text that has expired admits no device, at either side")
    func textExpires() throws {
        let devices = try SealedDevices(1)
        let text = try devices[0].invite(validFor: 60)
        let late = try devices.accept(text, "late")
        #expect(throws: SyncError.self) { try late.items() }
        devices.clock.now += 60
        let refused = try devices[0].refusals()
        #expect(refused.count == 1 && refused.values.first?.description.contains("expired") == true)
        #expect(try devices[0].members.count == 1)
        let error = #expect(throws: SyncError.self) { try late.items() }
        #expect(error?.description.contains("expired") == true)
        #expect(throws: SyncError.self) { try devices.accept(text, "later") }
    }

    @Test("who has the place and not the text cannot ask")
    func requestNeedsTheSecret() throws {
        let devices = try SealedDevices(1)
        let text = try devices[0].invite(validFor: 60)
        let stranger = try DeviceKey.make(label: "stranger")
        let guess = PairingSecret(SecretBytes([UInt8](repeating: 1, count: 16)))
        let real = PairingSecret(text.secret)
        let item = AdmissionRequest.item(stranger, guess, group: text.group)
        devices.memory.contents["a.ocsync"] = item.bytes
        devices.memory.contents["b.ocsync"] = PairingItem(.request, tag: real.tag, item.content).bytes
        #expect(try devices[0].members.count == 1)
        #expect(try devices[0].refusals().keys.sorted() == ["b.ocsync"])
        // The text is still good.
        let guest = try devices.accept(text, "guest")
        #expect(throws: SyncError.self) { try guest.items() }
        #expect(try devices[0].members.count == 2)
        #expect(try guest.items().isEmpty)
        #expect(devices.memory.contents.values.filter { $0.starts(with: PairingItem.magic) }.count == 2)
    }

    @Test("a second store of a device that takes part uses its keys")
    func secondStoreUsesTheKeys() throws {
        let devices = try SealedDevices(2)
        let text = try devices[0].invite(validFor: 60)
        let again = try devices.accept(text, "device 1")
        #expect(try again.devices().first == devices[1].devices().first)
        #expect(try devices[0].members.count == 2)
    }

    @Test("of two processes of one device only one lets a device use a text")
    func processesShareTheText() throws {
        let devices = try SealedDevices(1)
        // The processes have the clock of the system.
        devices.clock.now = SealedTransport.systemClock()
        let text = try devices[0].invite(validFor: 3_600)
        let processes = [try devices.reopened(0), try devices.reopened(0)]
        for (number, process) in processes.enumerated() {
            let guest = try devices.accept(text, "guest \(number)")
            #expect(throws: SyncError.self) { try guest.items() }
            _ = try process.items()
            devices.memory.contents = devices.memory.contents.filter { !$0.value.starts(with: PairingItem.magic) }
        }
        #expect(try processes[1].members.count == 2)
        #expect(try devices.reopened(0).members.count == 2)
    }
}
