/** A description of a SOAP service with an operation that reads and one that writes; the service is at `/tea`. */
export const TEA_SERVICE = `<?xml version="1.0"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:tea" targetNamespace="urn:tea">
<wsdl:types><xs:schema elementFormDefault="qualified" targetNamespace="urn:tea">
<xs:element name="FindTeas"><xs:complexType><xs:sequence>
<xs:element name="origin" type="xs:string"/><xs:element name="limit" type="xs:int" minOccurs="0"/>
</xs:sequence></xs:complexType></xs:element>
<xs:element name="OrderTea" type="tns:Order"/>
<xs:complexType name="Order"><xs:sequence><xs:element name="tea" type="xs:string"/></xs:sequence></xs:complexType>
</xs:schema></wsdl:types>
<wsdl:message name="FindTeasIn"><part name="parameters" element="tns:FindTeas"/></wsdl:message>
<wsdl:message name="OrderTeaIn"><part name="parameters" element="tns:OrderTea"/></wsdl:message>
<wsdl:portType name="TeaPort">
<wsdl:operation name="FindTeas"><wsdl:input message="tns:FindTeasIn"/></wsdl:operation>
<wsdl:operation name="OrderTea"><wsdl:input message="tns:OrderTeaIn"/></wsdl:operation>
</wsdl:portType>
<wsdl:binding name="TeaSoap" type="tns:TeaPort">
<soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
<wsdl:operation name="FindTeas"><soap:operation soapAction="urn:tea/FindTeas"/></wsdl:operation>
<wsdl:operation name="OrderTea"><soap:operation soapAction="urn:tea/OrderTea"/></wsdl:operation>
</wsdl:binding>
<wsdl:service name="Tea"><wsdl:port name="TeaSoap" binding="tns:TeaSoap"><soap:address location="https://tea.test/tea"/></wsdl:port></wsdl:service>
</wsdl:definitions>`;
